import { siteHost } from "@/shared/links";
import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./Demos.module.css";

const KNOCKER = "🐝";

type Line = { words: string; emoji?: string; isMine?: boolean };

function Said({ words, emoji, isMine }: Line) {
  return (
    <p className={styles.line} data-mine={isMine}>
      {emoji && !isMine && <EmojiDisc emoji={emoji} size="s" />}
      <span className={styles.slip}>{words}</span>
    </p>
  );
}

/** A note that is answered, with what comes back; and one that was answered where everybody can read it. */
export function AnswersDemo() {
  const { answers, notes, talk, reply } = text.landing.how;
  const lines = [...notes.slice(0, 1), ...talk];
  return (
    <div aria-label={[answers, ...lines, notes[1], reply].join(" ")} className={styles.answers} role="img">
      {lines.map((words, at) => (
        <Said isMine={at === 1 || undefined} key={words} words={words} />
      ))}
      <div className={styles.public}>
        <p className={styles.quote}>{notes[1]}</p>
        <p className={styles.reply}>{reply}</p>
      </div>
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

/** A demo chat, and who knocks at it. The fox is the reader. */
export function RoomDemo() {
  const { demo, demoLabel, demoName, knock, letIn } = text.landing.rooms;
  const lines = demo.map(({ emoji, line }) => `${emoji} ${line}`);
  return (
    <div
      aria-label={[demoLabel, ...lines, `${KNOCKER} ${knock}`].join(" ")}
      className={styles.room}
      role="img"
    >
      <p className={styles.name}>{demoName}</p>
      {demo.map(({ emoji, line }) => (
        <Said emoji={emoji} isMine={emoji === "🦊" || undefined} key={line} words={line} />
      ))}
      <div className={styles.knock}>
        <EmojiDisc emoji={KNOCKER} size="s" />
        <span>{knock}</span>
        <span className={styles.letIn}>{letIn}</span>
      </div>
    </div>
  );
}
