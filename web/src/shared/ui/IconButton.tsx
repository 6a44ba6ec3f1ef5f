import type { ButtonHTMLAttributes } from "react";
import styles from "./IconButton.module.css";
import { Icon, type IconName } from "./icons";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName;
  label: string;
  "data-scripted"?: boolean;
};

/** A button with only an icon. Its label is read by screen readers and is the tooltip. */
export function IconButton({ icon, label, ...attributes }: Props) {
  return (
    <button aria-label={label} className={styles.button} title={label} type="button" {...attributes}>
      <Icon name={icon} />
    </button>
  );
}
