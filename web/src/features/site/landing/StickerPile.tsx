import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { NameTag } from "./NameTag";
import { PeelingNote } from "./PeelingNote";
import styles from "./StickerPile.module.css";

/** The picture of the product: name tags without names, and a note nobody signed. */
export function StickerPile() {
  const words = text.landing.hero;
  return (
    <div aria-label={words.pile} className={styles.pile} role="img">
      <NameTag className={styles.back} emoji="🐙" tone="sky" />
      <NameTag className={styles.front} emoji="👻" tone="hot" />
      <PeelingNote className={styles.note} title={words.noteTitle} words={words.note} />
      <EmojiDisc className={styles.fox} emoji="🦊" size="l" />
      <EmojiDisc className={styles.cactus} emoji="🌵" size="l" />
    </div>
  );
}
