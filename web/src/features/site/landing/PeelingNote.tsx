import styles from "./PeelingNote.module.css";

type Props = { title: string; words: string; className?: string | undefined };

/** An inbox note as a sticker whose corner comes off the sheet. */
export function PeelingNote({ title, words, className = "" }: Props) {
  return (
    <span className={`${styles.note} ${className}`}>
      <span className={styles.face}>
        <span className={styles.title}>{title}</span>
        <span className={styles.words}>{words}</span>
      </span>
    </span>
  );
}
