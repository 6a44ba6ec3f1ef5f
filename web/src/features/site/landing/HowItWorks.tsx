import type { ReactNode } from "react";
import { text } from "@/shared/text/text";
import styles from "./HowItWorks.module.css";
import { Sample } from "./Sample";

type Props = { notes: ReactNode; capture: ReactNode };

/** The steps, each with a picture of what it leaves in your hand. */
export function HowItWorks({ notes, capture }: Props) {
  const words = text.landing.how;
  const pictures = [
    <p className={styles.address} key="link">
      {window.location.host}/<b>{words.username}</b>
    </p>,
    <ul className={styles.places} key="places">
      {words.places.map((place) => (
        <li className={styles.place} key={place}>
          {place}
        </li>
      ))}
    </ul>,
    <Sample className={styles.notes} key="notes" label={[words.inbox, ...words.notes].join(" ")}>
      {notes}
    </Sample>,
    <Sample className={styles.capture} key="capture" label={`${words.capture} ${words.notes[0]}`}>
      {capture}
    </Sample>,
  ];
  return (
    <section aria-labelledby="how-title" className={styles.how} id="how">
      <h2 className={styles.title} id="how-title">
        {words.title}
      </h2>
      <ol className={styles.steps}>
        {words.steps.map((step, index) => (
          <li className={styles.step} key={step.title}>
            <div className={styles.picture}>{pictures[index]}</div>
            <h3 className={styles.name}>{step.title}</h3>
            <p className={styles.body}>{step.body}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
