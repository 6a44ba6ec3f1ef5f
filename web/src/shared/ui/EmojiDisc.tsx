import { UNKNOWN_MEMBER } from "@/shared/contract/palette";
import styles from "./EmojiDisc.module.css";

type Props = {
  emoji: string;
  size?: "s" | "m" | "l";
  className?: string | undefined;
};

/** The sticker colours that a disc can have. */
const TONES = ["sun", "mint", "sky", "lilac", "peach", "rose", "lime", "foam"] as const;

/** An emoji on a disc in its own colour. Screen readers ignore it: its name has to be beside it. */
export function EmojiDisc({ emoji, size = "m", className = "" }: Props) {
  return (
    <span
      aria-hidden="true"
      className={`${styles.disc} ${className}`}
      data-size={size}
      data-tone={emojiTone(emoji)}
    >
      {emoji}
    </span>
  );
}

/**
 * The colour of an emoji's disc; somebody unknown has none. It depends only on the emoji, so a member has the same colour in every browser, and
 * nobody has to store or send it.
 */
export function emojiTone(emoji: string): (typeof TONES)[number] | undefined {
  if (emoji === UNKNOWN_MEMBER) return undefined;
  let hash = 0;
  for (const character of emoji) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return TONES[hash % TONES.length];
}
