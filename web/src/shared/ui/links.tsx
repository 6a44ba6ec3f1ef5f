import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import styles from "./button.module.css";

type ButtonLinkProps = {
  to: string;
  kind?: "hot" | "plain";
  size?: "m" | "l" | undefined;
  replace?: boolean;
  /** Loads the page anew. */
  reloadDocument?: boolean;
  /** What the page that it leads to learns. */
  state?: object;
  children: ReactNode;
  onClick?: () => void;
  /** Somebody who is signed in gets another link in its place. */
  "data-stranger"?: boolean | undefined;
};

/** A link that looks like a button. */
export function ButtonLink({ kind = "plain", size = "m", replace = false, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={styles.button} data-kind={kind} data-size={size} replace={replace} />;
}

/** Where else to go from a form. */
export function Elsewhere({ lead, to, words }: { lead?: string; to: string; words: string }) {
  return (
    <>
      {lead}{" "}
      <Link className="target" to={to}>
        {words}
      </Link>
    </>
  );
}
