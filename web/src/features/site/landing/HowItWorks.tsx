import { text } from "@/shared/text/text";
import styles from "./HowItWorks.module.css";
import { CaptureSample, NotesSample } from "./Samples";

export function HowItWorks() {
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
    <NotesSample key="notes" />,
    <CaptureSample key="capture" />,
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
