import { ApiFailure } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showError } from "@/shared/notices";
import { goTo } from "@/shared/overlays";
import { forgetAccount, forgetSession, token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";

/** Leads to the login if a call was refused because the sign-in has ended, and back from there. */
export function signInAgain(failure?: unknown) {
  // After an error of the server the token is still good. One that isn't there any more has lapsed.
  if (!(failure instanceof ApiFailure) || failure.status === 401) forgetSession(token() === undefined);
  else forgetAccount();
  showError(appText.failure.signInAgain);
  const { pathname, search } = window.location;
  void goTo(paths.login, { replace: true, state: { from: pathname + search } });
}
