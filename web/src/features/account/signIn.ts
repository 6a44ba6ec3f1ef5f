import { api } from "@/shared/api/api";
import { keepsCookies } from "@/shared/session/cookies";
import { device } from "@/shared/session/device";
import { forgetSession, keepToken } from "@/shared/session/session";
import { accountText } from "@/shared/text/accountText";
import { DeviceFailure } from "@/shared/text/failureText";

/** Why nobody can sign in with this browser; "" if they can. */
export const needsCookies = () => (keepsCookies() ? "" : accountText.login.needsCookies);

/** Signs in. Gives whether the sign-in is kept, or is for this page only. */
export async function signIn(email_or_username: string, password: string): Promise<"kept" | "for this page"> {
  // Tested before: a sign-in that can't be kept would leave a token that nobody can use or end.
  const needed = needsCookies();
  if (needed !== "") throw new DeviceFailure(needed);
  const json = { email_or_username, password, ...device.shown() };
  const { access_token, device: given } = await api("post", "/api/login", { json });
  device.keep(given);
  // Somebody else may have been signed in here, and the next page must not show that name. Whose the key of a sealed
  // inbox is turns out when the page knows who this is.
  forgetSession(true);
  const where = keepToken(access_token);
  if (where === "not kept") throw new DeviceFailure(accountText.login.needsCookies);
  return where === "kept" ? "kept" : "for this page";
}
