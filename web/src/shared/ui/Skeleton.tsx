import styles from "./Skeleton.module.css";

/** A list that is on its way, in the shape it will have. `row` is the height of one of its cards. */
export function Skeleton({ label, row }: { label: string; row: "s" | "m" }) {
  return (
    <ul aria-label={label} className={styles.list}>
      <li className={styles.card} data-size={row} />
      <li className={styles.card} data-size={row} />
      <li className={styles.card} data-size={row} />
    </ul>
  );
}
