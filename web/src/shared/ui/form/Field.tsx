import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import styles from "./Field.module.css";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange"> & {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  /** This field is wrong, too; the sentence is shown at another field. */
  invalid?: boolean | undefined;
  action?: ReactNode;
};

export function Field({ label, value, onValue, hint, error, invalid, action, ...attributes }: Props) {
  const id = useId();
  const about = error || hint ? `${id}-about` : undefined;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={action ? styles["with-button"] : undefined}>
        <input
          aria-required
          {...attributes}
          aria-describedby={about}
          aria-invalid={error || invalid ? true : undefined}
          className={styles.input}
          id={id}
          onChange={(event) => onValue(event.target.value)}
          value={value}
        />
        {action}
      </div>
      {about && (
        <p className={error ? styles.error : styles.hint} id={about}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
