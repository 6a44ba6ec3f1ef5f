import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./ChatSample.module.css";

/** A drawing of a group's screen; the real one has a socket behind it. */
export function ChatSample() {
  const words = text.landing.groups;
  return (
    <figure aria-label={words.sampleLabel} className={styles.sheet}>
      <figcaption className={styles.head}>
        <span>{words.sampleName}</span>
        <span className={styles.count}>{words.sampleCount}</span>
      </figcaption>
      <ul className={styles.lines}>
        {words.sample.map(({ face, line }, index) => (
          <li className={styles.line} data-side={index % 2 === 0 ? "start" : "end"} key={line}>
            <EmojiDisc emoji={face} size="s" />
            <span className={styles.bubble}>{line}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
