import { useId } from "react";
import styles from "./Switch.module.css";

type Props = { name: string; more: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A switch in a form, with what it means. It works with scripts only. */
export function Switch({ name, more, isOn, onChange }: Props) {
  const id = useId();
  return (
    <button
      aria-checked={isOn}
      aria-describedby={`${id}more`}
      aria-labelledby={`${id}name`}
      className={styles.row}
      data-scripted
      onClick={() => onChange(!isOn)}
      role="switch"
      type="button"
    >
      <span>
        <span className={styles.name} id={`${id}name`}>
          {name}
        </span>
        <span className={styles.more} id={`${id}more`}>
          {more}
        </span>
      </span>
      <span aria-hidden="true" className={styles.switch} />
    </button>
  );
}
