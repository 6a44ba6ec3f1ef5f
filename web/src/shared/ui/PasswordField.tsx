import { useId, useState } from "react";
import { appText } from "@/shared/text/appText";
import styles from "./Field.module.css";
import { IconButton } from "./IconButton";

type Props = {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  autoComplete: "current-password" | "new-password";
  hint?: string | undefined;
  error?: string | undefined;
  /** Wrong as well, by a sentence that stands at another field. */
  invalid?: boolean | undefined;
};

/** A password, which can be looked at: typing blind is what makes people choose short ones. */
export function PasswordField({ label, name, value, onValue, autoComplete, hint, error, invalid }: Props) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const about = error || hint ? `${id}-about` : undefined;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles["with-button"]}>
        <input
          aria-describedby={about}
          aria-invalid={error || invalid ? true : undefined}
          autoCapitalize="none"
          autoComplete={autoComplete}
          className={styles.input}
          id={id}
          name={name}
          onChange={(event) => onValue(event.target.value)}
          spellCheck={false}
          type={shown ? "text" : "password"}
          value={value}
        />
        <IconButton
          aria-pressed={shown}
          icon={shown ? "eyeOff" : "eye"}
          label={shown ? appText.form.hidePassword : appText.form.showPassword}
          onClick={() => setShown(!shown)}
        />
      </div>
      {about && (
        <p className={error ? styles.error : styles.hint} id={about}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
