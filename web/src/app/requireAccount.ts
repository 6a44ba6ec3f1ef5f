import type { LoaderFunctionArgs } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";
import { isSignedOut, isTrouble } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showError } from "@/shared/notices";
import { forgetOthersInboxKey } from "@/shared/session/inboxKeyOf";
import { forgetInbox } from "@/shared/session/inboxOnDevice";
import { cacheAccount, cachedAccount, forgetAccount, forgetSession, token } from "@/shared/session/session";
import { keepWanted } from "@/shared/session/wanted";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { redirectTo } from "./redirectTo";

/** The loader of every page that needs an account. Gives the account, or redirects to the login. */
export async function requireAccount({ request }: LoaderFunctionArgs): Promise<Schemas["User"]> {
  const bearer = token();
  if (bearer === undefined) {
    // The sign-in may have expired, and what is kept for it goes with it.
    forgetInbox();
    throw toLogin(request);
  }
  const cached = cachedAccount();
  // The link may have been used since then, in this browser or another.
  if (cached && cached.user.email_confirmed !== false) return cached.user;
  try {
    const { user } = await api("get", "/api/dashboard", { token: bearer });
    forgetOthersInboxKey(user.username);
    cacheAccount({ user });
    return user;
  } catch (failure) {
    // It only could not be asked again whether the address is confirmed.
    if (cached && isTrouble(failure)) return cached.user;
    // Otherwise the login would lead back here.
    if (isSignedOut(failure)) forgetSession();
    else forgetAccount();
    showError(failureText(failure, appText.failure.signInAgain));
    throw toLogin(request);
  }
}

/** To the login, and to the page that was wanted from there. */
function toLogin(request: Request) {
  const { pathname, search } = new URL(request.url);
  keepWanted(pathname + search);
  return redirectTo(paths.login, request);
}

/** The loader of the sign-up and login pages. Redirects home if somebody is signed in. */
export function requireNobody({ request }: LoaderFunctionArgs) {
  return token() !== undefined && cachedAccount() ? redirectTo(paths.home, request) : null;
}
