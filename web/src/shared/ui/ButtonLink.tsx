import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./button.module.css";

type Props = {
  to: string;
  /** `hot` is for the one thing a screen wants done. */
  kind?: "hot" | "plain";
  size?: "m" | "l";
  children: ReactNode;
};

/** A link that looks like a button, because it leads on rather than does something. */
export function ButtonLink({ to, kind = "plain", size = "m", children }: Props) {
  return (
    <Link className={styles.button} data-kind={kind} data-size={size} to={to}>
      {children}
    </Link>
  );
}
