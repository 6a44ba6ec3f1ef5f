import { paths } from "@/shared/contract/pages";
import { cookieNames } from "@/shared/session/cookies";
import { text } from "@/shared/text/text";
import { ButtonLink } from "./Button";

/** Whether this browser has a sign-in. The server may have ended it, which the next call shows. */
export function isSignedIn(): boolean {
  return cookieNames().includes("annon_token");
}

/** Leads to the sign-up, or, with a sign-in, to the inbox. */
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
