import type { ReactNode } from "react";
import styles from "./TagForm.module.css";

type Props = {
  tone: "hot" | "sky" | "sun" | "mint" | "lilac";
  heading: string;
  small: string;
  lead?: string | undefined;
  children: ReactNode;
  /** What stands under the sticker. */
  below?: ReactNode;
};

/** A form as the name tag it fills in. Stickers keep their colours in the dark, so what is on it is always light. */
export function TagForm({ tone, heading, small, lead, children, below }: Props) {
  return (
    <div className={styles.page}>
      <section className={styles.tag} data-on-sticker data-tone={tone}>
        <h1 className={styles.heading}>
          {heading} <span className={styles.small}>{small}</span>
        </h1>
        <div className={styles.body}>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </div>
      </section>
      {below && <div className={styles.below}>{below}</div>}
    </div>
  );
}
