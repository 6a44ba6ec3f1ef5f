import type { ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";
import { Loader } from "./Loader";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `hot` is for the most important button of a screen. */
  kind?: "hot" | "plain" | "danger";
  size?: "s" | "m" | "l";
  /** While its work is being done, the button can't be pressed, but keeps the focus. */
  busy?: boolean;
};

export function Button({ kind = "plain", size = "m", busy = false, type = "button", ...rest }: Props) {
  const { children, onClick, ...attributes } = rest;
  return (
    <button
      {...attributes}
      aria-disabled={busy || undefined}
      className={styles.button}
      data-kind={kind}
      data-size={size}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      type={type}
    >
      {busy && <Loader kind="spinner" />}
      {children}
    </button>
  );
}
