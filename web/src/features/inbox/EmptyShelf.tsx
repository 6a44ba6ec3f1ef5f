import { inboxText } from "@/shared/text/inboxText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./InboxList.module.css";
import type { Shelf } from "./inboxStore";

/** What a shelf says that has no notes. */
export function EmptyShelf({ shelf, inBatches }: { shelf: Shelf; inBatches: boolean }) {
  const { empty, emptyHeading, emptyInBatches, shelves } = inboxText;
  const of = {
    inbox: { emoji: "🦉", heading: emptyHeading, body: inBatches ? emptyInBatches : empty },
    starred: { emoji: "⭐", ...shelves.noStars },
    archive: { emoji: "🗃️", ...shelves.noArchive },
  };
  const { emoji, heading, body } = of[shelf];
  return (
    <div className={styles.empty}>
      <EmojiDisc emoji={emoji} size="l" />
      <p>{heading}</p>
      <p>{body}</p>
    </div>
  );
}
