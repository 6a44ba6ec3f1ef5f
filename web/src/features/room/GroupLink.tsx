import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import styles from "./GroupCard.module.css";

/** A card's heading. The link covers all of the card. */
export function GroupLink({
  id,
  name,
  level: Heading = "h2",
}: {
  id: string;
  name: string;
  level?: "h2" | "h3";
}) {
  return (
    <Heading className={styles.name}>
      <a
        aria-label={appText.groups.open(name)}
        className={styles.open}
        dir="auto"
        href={roomLink(id)}
        rel="opener"
        // biome-ignore lint/security/noBlankTarget: our own page, and it begins with this tab's chosen theme
        target="_blank"
      >
        {name}
      </a>
    </Heading>
  );
}
