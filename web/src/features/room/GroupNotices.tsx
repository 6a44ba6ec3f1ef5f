import { appText } from "@/shared/text/appText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./NewGroup.module.css";

/** What whoever opens a group should know of it, with the lifetime it will really have. */
export function GroupNotices({ hours }: { hours: number }) {
  const words = appText.newGroup.notices;
  const notices = [
    ["🪑", words.members],
    ["🎲", words.faces],
    ["⏳", words.end(hours)],
  ] as const;
  return (
    <ul aria-label={words.label} className={styles.notices}>
      {notices.map(([emoji, notice]) => (
        <li className={styles.notice} key={emoji}>
          <EmojiDisc emoji={emoji} size="s" />
          {notice}
        </li>
      ))}
    </ul>
  );
}
