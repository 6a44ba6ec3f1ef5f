import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./TagForm.module.css";

export type TagProps = {
  tone: "hot" | "sky" | "sun" | "mint" | "lilac";
  words: { heading: string; small: string; lead?: string };
  children: ReactNode;
  below?: ReactNode;
};

/** A form as the name tag it fills in. Stickers keep their colours in the dark, so what is on it is always light. */
export function TagForm({ tone, words, children, below }: TagProps) {
  return (
    <div className={styles.page}>
      <section className={styles.tag} data-on-sticker data-tone={tone}>
        <h1 className={styles.heading}>
          {words.heading} <span className={styles.small}>{words.small}</span>
        </h1>
        <div className={styles.body}>
          {words.lead && <p className={styles.lead}>{words.lead}</p>}
          {children}
        </div>
      </section>
      {below && <div className={styles.below}>{below}</div>}
    </div>
  );
}

export function Elsewhere({ lead, to, words }: { lead?: string; to: string; words: string }) {
  return (
    <>
      {lead}{" "}
      <Link className="target" to={to}>
        {words}
      </Link>
    </>
  );
}
