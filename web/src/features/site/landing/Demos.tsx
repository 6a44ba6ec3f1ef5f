import { siteHost } from "@/shared/links";
import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./Demos.module.css";

export function NotesDemo() {
  const { inbox, notes } = text.landing.how;
  return (
    <div aria-label={[inbox, ...notes].join(" ")} className={styles.notes} role="img">
      {notes.map((words, at) => (
        <p className={styles.note} data-unread={at === 0 || undefined} key={words}>
          {words}
        </p>
      ))}
    </div>
  );
}

export function CaptureDemo() {
  const { capture, notes, username } = text.landing.how;
  return (
    <div aria-label={`${capture} ${notes[0]}`} className={styles.capture} role="img">
      <div className={styles.tag}>
        <p className={styles.band}>{text.aNote}</p>
        <p className={styles.words}>{notes[0]}</p>
      </div>
      <span className={styles.link} suppressHydrationWarning>
        {siteHost()}/{username}
      </span>
    </div>
  );
}

/** A demo chat. The fox is the reader. */
export function RoomDemo() {
  const { demo, demoLabel, demoName } = text.landing.rooms;
  const lines = demo.map(({ emoji, line }) => `${emoji} ${line}`);
  return (
    <div aria-label={[demoLabel, ...lines].join(" ")} className={styles.room} role="img">
      <p className={styles.name}>{demoName}</p>
      {demo.map(({ emoji, line }) => (
        <p className={styles.line} data-mine={emoji === "🦊" || undefined} key={line}>
          {emoji !== "🦊" && <EmojiDisc emoji={emoji} size="s" />}
          <span className={styles.slip}>{line}</span>
        </p>
      ))}
    </div>
  );
}
