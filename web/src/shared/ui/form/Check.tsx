import { useId } from "react";
import styles from "./Check.module.css";

type Props = { label: string; more?: string; checked: boolean; onCheck: (checked: boolean) => void };

export function Check({ label, more, checked, onCheck }: Props) {
  const id = useId();
  return (
    <div>
      <label className={styles.choice}>
        <input
          aria-describedby={more && id}
          checked={checked}
          onChange={({ target }) => onCheck(target.checked)}
          type="checkbox"
        />
        {label}
      </label>
      {more && (
        <p className={styles.more} id={id}>
          {more}
        </p>
      )}
    </div>
  );
}
