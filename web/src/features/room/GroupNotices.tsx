import { appText } from "@/shared/text/appText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./NewGroup.module.css";

export function GroupNotices({ hours }: { hours: number }) {
  const words = appText.newGroup.notices;
  const notices = [
    ["🪑", words.members],
    ["🎲", words.emojis],
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
