import type { ReactNode } from "react";
import { text } from "@/shared/text/text";
import styles from "./Frame.module.css";

type Props = { header: ReactNode; footer?: ReactNode; children: ReactNode };

export function Frame({ header, footer, children }: Props) {
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#main">
        {text.actions.skipToContent}
      </a>
      {header}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {footer}
    </div>
  );
}
