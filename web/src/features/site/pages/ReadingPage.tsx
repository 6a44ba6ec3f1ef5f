import type { Reading } from "@/shared/text/en/reading";
import styles from "./ReadingPage.module.css";

/** A page to be read from top to bottom: about, privacy, terms. */
export function ReadingPage({ reading }: { reading: Reading }) {
  return (
    <article className={styles.page}>
      <h1 className={styles.title}>{reading.title}</h1>
      <p className={styles.lead}>{reading.lead}</p>
      <div className={styles.sheet}>
        {reading.sections.map(({ heading, paragraphs = [], points = [] }) => (
          <section className={styles.section} key={heading}>
            <h2 className={styles.heading}>{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {points.length > 0 && (
              <ul className={styles.points}>
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </div>
    </article>
  );
}
