import type { ButtonHTMLAttributes } from "react";
import styles from "./IconButton.module.css";
import { Icon, type IconName } from "./icons";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { icon: IconName; label: string };

/** A control that is only a picture, with its name for those who can't see it and as a tooltip for the others. */
export function IconButton({ icon, label, ...attributes }: Props) {
  return (
    <button aria-label={label} className={styles.button} title={label} type="button" {...attributes}>
      <Icon name={icon} />
    </button>
  );
}
