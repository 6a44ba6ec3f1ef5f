import { paths } from "@/shared/contract/pages";
import { cookieNames } from "@/shared/session/cookies";
import { text } from "@/shared/text/text";
import { ButtonLink } from "./Button";

/** Whether this browser holds a sign-in. It may have ended on the server, which says so when it is asked. */
export function isSignedIn(): boolean {
  return cookieNames().includes("annon_token");
}

/** Where one begins: an account to make, or the inbox of the one that is signed in. */
export function StartLink({ size }: { size?: "m" | "l" }) {
  const { to, words } = isSignedIn()
    ? { to: `${paths.home}?tab=inbox`, words: text.actions.toInbox }
    : { to: paths.signup, words: text.actions.signUp };
  return (
    <ButtonLink kind="hot" size={size} to={to}>
      {words}
    </ButtonLink>
  );
}
