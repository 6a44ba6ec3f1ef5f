import { useId } from "react";
import styles from "./Check.module.css";

type Props = {
  label: string;
  more?: string;
  /** Under which a form without scripts sends it. */
  name?: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
};

export function Check({ label, more, name, checked, onCheck }: Props) {
  const id = useId();
  return (
    <div>
      <label className={styles.choice}>
        <input
          aria-describedby={more && id}
          checked={checked}
          name={name}
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
