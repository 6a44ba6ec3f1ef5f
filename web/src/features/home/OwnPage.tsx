import { paths } from "@/shared/contract/pages";
import { noteText } from "@/shared/text/noteText";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import styles from "./cards.module.css";
import { ShareCard } from "./HomeCards";
import { LinkCard } from "./LinkCard";

/** What the owner of a personal link sees at its address: the link, and ways to share it. */
export function OwnPage({ username, asOthers }: { username: string; asOthers: string }) {
  const words = noteText.ownPage;
  return (
    <div className={styles.own}>
      <div className={styles.hello}>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
      </div>
      <LinkCard username={username} />
      <ShareCard username={username} />
      <p className={styles.actions}>
        <ButtonLink to={asOthers}>{words.asOthers}</ButtonLink>
        <ButtonLink to={`${paths.home}?tab=inbox`}>{text.actions.toInbox}</ButtonLink>
      </p>
    </div>
  );
}
