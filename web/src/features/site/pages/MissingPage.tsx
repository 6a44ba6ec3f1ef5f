import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import { isSignedIn } from "@/shared/ui/StartLink";
import { NoticePage } from "./NoticePage";

/** For an address that leads nowhere: most often it is mistyped. */
export function MissingPage() {
  const isStranger = !isSignedIn();
  const { to, words } = isStranger
    ? { to: paths.login, words: text.actions.signIn }
    : { to: `${paths.home}?tab=inbox`, words: text.actions.toInbox };
  return (
    <NoticePage body={text.missing.body} emoji="🧭" heading={text.missing.heading}>
      <ButtonLink kind="hot" to={paths.landing}>
        {text.actions.toStart}
      </ButtonLink>
      <ButtonLink data-stranger={isStranger || undefined} to={to}>
        {words}
      </ButtonLink>
    </NoticePage>
  );
}
