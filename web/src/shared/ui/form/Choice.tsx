import { useId } from "react";
import styles from "./Choice.module.css";

type Props<Option extends string | number> = {
  label: string;
  options: readonly Option[];
  words: (option: Option) => string;
  chosen: Option;
  onChoose: (option: Option) => void;
};

export function Choice<Option extends string | number>({
  label,
  options,
  words,
  chosen,
  onChoose,
}: Props<Option>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label className={styles.option} key={option}>
            <input
              checked={option === chosen}
              className={styles.radio}
              name={name}
              onChange={() => onChoose(option)}
              type="radio"
            />
            <span className={styles.words}>{words(option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
