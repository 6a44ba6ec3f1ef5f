import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./Groups.module.css";
import { GroupSample } from "./Samples";

export function Groups() {
  const words = text.landing.groups;
  return (
    <section aria-labelledby="groups-title" className={styles.band}>
      <div className={styles.inner}>
        <div>
          <h2 className={styles.title} id="groups-title">
            {words.title}
          </h2>
          <div aria-label={words.seatsLabel} className={styles.seats} role="img">
            {words.seats.map((emoji) => (
              <EmojiDisc className={styles.seat} emoji={emoji} key={emoji} />
            ))}
          </div>
          <ul className={styles.points}>
            {words.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
        <GroupSample />
      </div>
    </section>
  );
}
