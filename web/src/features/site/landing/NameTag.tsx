import { text } from "@/shared/text/text";
import styles from "./NameTag.module.css";

type Props = { emoji: string; tone: "hot" | "sky"; className?: string | undefined };

/** The sticker from every conference, with a face where the name would go. */
export function NameTag({ emoji, tone, className = "" }: Props) {
  return (
    <span className={`${styles.tag} ${className}`} data-tone={tone}>
      <span className={styles.hello}>{text.landing.hero.hello}</span>
      <span className={styles.my}>{text.landing.hero.myNameIs}</span>
      <span className={styles.name}>{emoji}</span>
    </span>
  );
}
