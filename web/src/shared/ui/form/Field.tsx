import {
  type HTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { appText } from "@/shared/text/appText";
import { capped, characters } from "@/shared/text/characters";
import styles from "./Field.module.css";

type OwnAttributes = "autoComplete" | "name" | "placeholder" | "type";
type Props = HTMLAttributes<HTMLElement> &
  Pick<InputHTMLAttributes<HTMLInputElement>, OwnAttributes> & {
    label: string;
    value: string;
    onValue: (value: string) => void;
    hint?: string | undefined;
    error?: string | undefined;
    /** This field is wrong, but the sentence about it is shown at another field. */
    invalid?: boolean | undefined;
    /** An icon button at the end of the line. */
    action?: ReactNode;
    /** Makes a field of several lines with a counter. It takes at most this many characters. */
    max?: number;
    rows?: number;
  };

export function Field({
  label,
  value,
  onValue,
  hint,
  error,
  invalid,
  action,
  max,
  rows,
  ...attributes
}: Props) {
  const id = useId();
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // Something may have been typed into the server's page before the app was there.
  const takeOver = useEffectEvent(() => {
    const typed = box.current?.value ?? "";
    if (typed !== value) onValue(typed);
  });
  useLayoutEffect(() => takeOver(), []);
  const count = characters(value);
  const about = [(error || hint) && `${id}-about`, max && `${id}-count`].filter(Boolean).join(" ");
  const filled = {
    "aria-required": true,
    ...attributes,
    "aria-describedby": about || undefined,
    "aria-invalid": error || invalid ? true : undefined,
    id,
    ref: box,
    value,
  };
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {max && (
          <span
            className={styles.count}
            data-full={count >= max || undefined}
            data-scripted
            id={`${id}-count`}
          >
            {appText.form.count(count, max)}
          </span>
        )}
      </div>
      <div className={action ? styles["with-button"] : undefined}>
        {max ? (
          <textarea
            {...filled}
            className={`${styles.input} ${styles.area}`}
            dir="auto"
            onChange={(event) => onValue(capped(event.target.value, max))}
            rows={rows}
          />
        ) : (
          <input {...filled} className={styles.input} onChange={(event) => onValue(event.target.value)} />
        )}
        {action}
      </div>
      {(error || hint) && (
        <p className={error ? styles.error : styles.hint} id={`${id}-about`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
