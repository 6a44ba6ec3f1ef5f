import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./button.module.css";

type Props = {
  to: string;
  kind?: "hot" | "plain";
  size?: "m" | "l" | undefined;
  replace?: boolean;
  children: ReactNode;
};

/** A link that looks like a button, because it leads on rather than does something. */
export function ButtonLink({ to, kind = "plain", size = "m", replace = false, children }: Props) {
  return (
    <Link className={styles.button} data-kind={kind} data-size={size} replace={replace} to={to}>
      {children}
    </Link>
  );
}
