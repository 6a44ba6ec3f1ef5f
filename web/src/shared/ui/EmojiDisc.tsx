import styles from "./EmojiDisc.module.css";
import { emojiTone } from "./emojiTone";

type Props = {
  emoji: string;
  size?: "s" | "m" | "l";
  className?: string | undefined;
};

/** A face: the emoji on a die-cut disc in its own colour. Decorative; who needs it named says so beside it. */
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
