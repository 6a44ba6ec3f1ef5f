import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./StickerPile.module.css";

/** The picture of the landing page: two name tags with emoji in place of names, and a note with a folded corner. */
export function StickerPile() {
  const words = text.landing.hero;
  return (
    <div aria-label={words.pile} className={styles.pile} role="img">
      <NameTag className={styles.back} emoji="🐙" tone="sky" />
      <NameTag className={styles.front} emoji="👻" tone="hot" />
      <div className={styles.note}>
        <div className={styles.sheet}>
          <p className={styles.about}>{text.aNote}</p>
          <p className={styles.words}>{words.note}</p>
        </div>
      </div>
      <EmojiDisc className={styles.fox} emoji="🦊" size="l" />
      <EmojiDisc className={styles.cactus} emoji="🌵" size="l" />
    </div>
  );
}

type TagProps = { emoji: string; tone: "hot" | "sky"; className: string | undefined };

/** A name tag as at a conference, with an emoji in place of the name. */
function NameTag({ emoji, tone, className }: TagProps) {
  return (
    <span className={`${styles.tag} ${className}`} data-tone={tone}>
      <span className={styles.hello}>{text.landing.hero.hello}</span>
      <span className={styles.my}>{text.landing.hero.myNameIs}</span>
      <span className={styles.name}>{emoji}</span>
    </span>
  );
}
