import type { ReactNode } from "react";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./NoticePage.module.css";

type Props = {
  emoji: string;
  heading: string;
  body?: string;
  /** What the page is about: a group or a person, and more of it. */
  about?: { name: string; more?: string | undefined } | "" | undefined;
  children?: ReactNode;
};

export function NoticePage({ emoji, heading, body, about, children }: Props) {
  return (
    <div className={styles.notice}>
      <EmojiDisc className="put-down" emoji={emoji} size="l" />
      <h1 className={styles.heading}>{heading}</h1>
      {about && (
        <p className={styles.about} data-tone="sun">
          <bdi>{about.name}</bdi>
          {about.more && <span className={styles.more}>{about.more}</span>}
        </p>
      )}
      {body && <p className={styles.body}>{body}</p>}
      {children}
    </div>
  );
}
