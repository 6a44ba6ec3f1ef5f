import type { ReactNode } from "react";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./NoticePage.module.css";

type Props = { emoji: string; heading: string; body?: string; children?: ReactNode };

export function NoticePage({ emoji, heading, body, children }: Props) {
  return (
    <div className={styles.notice}>
      <EmojiDisc className="put-down" emoji={emoji} size="l" />
      <h1 className={styles.heading}>{heading}</h1>
      {body && <p className={styles.body}>{body}</p>}
      {children}
    </div>
  );
}
