import { useId } from "react";
import styles from "./Switch.module.css";

type Props = {
  name: string;
  more?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Under which a form without scripts sends it. Without this it works with scripts only. */
  field?: string;
};

/** A switch in a form, with what it means. */
export function Switch({ name, more, isOn, onChange, field }: Props) {
  const id = useId();
  return (
    <label className={styles.row} data-scripted={field === undefined || undefined}>
      <span>
        <span className={styles.name} id={`${id}name`}>
          {name}
        </span>
        {more && (
          <span className={styles.more} id={`${id}more`}>
            {more}
          </span>
        )}
      </span>
      <input
        aria-describedby={more && `${id}more`}
        aria-labelledby={`${id}name`}
        checked={isOn}
        className={styles.switch}
        name={field}
        onChange={({ target }) => onChange(target.checked)}
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is on
        role="switch"
        type="checkbox"
      />
    </label>
  );
}
