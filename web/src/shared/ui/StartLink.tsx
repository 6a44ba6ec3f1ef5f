import { paths } from "@/shared/contract/pages";
import { cookieNames } from "@/shared/session/cookies";
import { text } from "@/shared/text/text";
import { ButtonLink } from "./links";

/** Whether this browser has a sign-in. The server may have ended it, which the next call shows. */
export function isSignedIn(): boolean {
  return cookieNames().includes("annon_token");
}

/** Leads to the sign-up, or, with a sign-in, to the inbox. */
export function StartLink({ size }: { size?: "m" | "l" }) {
  const isStranger = !isSignedIn();
  const { to, words } = isStranger
    ? { to: paths.signup, words: text.actions.signUp }
    : { to: `${paths.home}?tab=inbox`, words: text.actions.toInbox };
  return (
    <ButtonLink data-stranger={isStranger || undefined} kind="hot" size={size} to={to}>
      {words}
    </ButtonLink>
  );
}
