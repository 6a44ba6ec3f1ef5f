import type { Reading } from "@/shared/text/en/reading";
import styles from "./ReadingPage.module.css";

const POINT = "- ";

/** A page to be read from top to bottom: about, privacy, terms. */
export function ReadingPage({ reading }: { reading: Reading }) {
  return (
    <article className={styles.page}>
      <h1 className={styles.title}>{reading.title}</h1>
      <p className={styles.lead}>{reading.lead}</p>
      <div className={styles.sheet}>
        {reading.sections.map(([heading, ...texts]) => (
          <section className={styles.section} key={heading}>
            <h2 className={styles.heading}>{heading}</h2>
            {texts.map((text) => !text.startsWith(POINT) && <p key={text}>{text}</p>)}
            <Points texts={texts.filter((text) => text.startsWith(POINT))} />
          </section>
        ))}
      </div>
    </article>
  );
}

function Points({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul className={styles.points}>
      {texts.map((text) => (
        <li key={text}>{text.slice(POINT.length)}</li>
      ))}
    </ul>
  );
}
