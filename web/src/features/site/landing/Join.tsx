import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { StartLink } from "@/shared/ui/StartLink";
import styles from "./Join.module.css";

/** A large name tag for the visitor, with the button to begin. */
export function Join() {
  return (
    <section aria-labelledby="join-title" className={styles.join}>
      <div className={styles.large}>
        <p aria-hidden="true" className={styles.hello}>
          {text.landing.hero.hello} <span className={styles.my}>{text.landing.hero.myNameIs}</span>
        </p>
        <div className={styles.words}>
          <h2 className={styles.title} id="join-title">
            {text.landing.join.title}
          </h2>
          <StartLink size="l" />
        </div>
      </div>
      <EmojiDisc className={styles.left} emoji="🪩" size="l" />
      <EmojiDisc className={styles.right} emoji="🐸" size="l" />
    </section>
  );
}
