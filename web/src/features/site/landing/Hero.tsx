import { Link } from "react-router-dom";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { StartLink } from "@/shared/ui/StartLink";
import styles from "./Hero.module.css";
import { StickerPile } from "./StickerPile";

export function Hero() {
  const words = text.landing.hero;
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.title}>
          {words.lead} <span className={styles.tag}>{words.tag}</span>
        </h1>
        <p className={styles.body}>{words.body}</p>
        <p className={styles.actions}>
          <StartLink size="l" />
          <span className={styles.links}>
            <a className={styles.how} href="#how">
              {words.how}
            </a>
            <Link className={styles.how} to={paths.getStarted}>
              {words.tour}
            </Link>
          </span>
        </p>
      </div>
      <StickerPile />
    </section>
  );
}
