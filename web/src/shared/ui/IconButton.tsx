import type { ButtonHTMLAttributes } from "react";
import styles from "./IconButton.module.css";
import { Icon, type IconName } from "./icons";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName;
  label: string;
  /** A part of the label, which is shown beside the icon where there is space. */
  words?: string;
  "data-scripted"?: boolean;
};

/** A button with an icon, and with words on wide screens. Its label is read by screen readers and is the tooltip. */
export function IconButton({ icon, label, words, ...attributes }: Props) {
  return (
    <button aria-label={label} className={styles.button} title={label} type="button" {...attributes}>
      <Icon name={icon} />
      {words && <span className={styles.words}>{words}</span>}
    </button>
  );
}
