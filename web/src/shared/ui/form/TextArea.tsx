import { type TextareaHTMLAttributes, useId } from "react";
import { appText } from "@/shared/text/appText";
import { characters } from "@/shared/text/characters";
import styles from "./Field.module.css";

type Props = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange"> & {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** The most characters it takes, as people count them: a character outside the first plane is one. */
  max: number;
  error?: string | undefined;
};

/** Several lines, with a count that goes along. What is over the cap isn't taken. */
export function TextArea({ label, value, onValue, max, error, ...attributes }: Props) {
  const id = useId();
  const count = characters(value);
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        <span className={styles.count} data-full={count >= max || undefined} id={`${id}-count`}>
          {appText.form.count(count, max)}
        </span>
      </div>
      <textarea
        aria-required
        {...attributes}
        aria-describedby={error ? `${id}-error ${id}-count` : `${id}-count`}
        aria-invalid={error ? true : undefined}
        className={`${styles.input} ${styles.area}`}
        dir="auto"
        id={id}
        onChange={(event) => onValue(capped(event.target.value, max))}
        value={value}
      />
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export function capped(text: string, max: number): string {
  return characters(text) <= max ? text : Array.from(text).slice(0, max).join("");
}
