import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router-dom";
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

type LinkProps = {
  to: string;
  kind?: "hot" | "plain";
  size?: "m" | "l" | undefined;
  replace?: boolean;
  /** What the page that it leads to learns. */
  state?: object;
  children: ReactNode;
  onClick?: () => void;
  /** Somebody who is signed in gets another link in its place. */
  "data-stranger"?: boolean | undefined;
};

/** A link that looks like a button. */
export function ButtonLink({ kind = "plain", size = "m", replace = false, ...rest }: LinkProps) {
  return <Link {...rest} className={styles.button} data-kind={kind} data-size={size} replace={replace} />;
}
