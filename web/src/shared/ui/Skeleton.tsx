import styles from "./Skeleton.module.css";

/** The grey shape of a list that is being loaded. `row` is the height of its cards. */
export function Skeleton({ label, row }: { label: string; row: "s" | "m" }) {
  return (
    <ul aria-label={label} className={styles.list}>
      <li className={styles.card} data-size={row} />
      <li className={styles.card} data-size={row} />
      <li className={styles.card} data-size={row} />
    </ul>
  );
}
