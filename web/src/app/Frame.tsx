import type { ReactNode } from "react";
import { text } from "@/shared/text/text";
import styles from "./Frame.module.css";

type Props = {
  header: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
  /** The page is only a frame: it is drawn without what its visitor alone has. */
  isFrame?: boolean | undefined;
  /** The server's answer to a form that is on the page, or that the page is nobody's. */
  answer?: "sent" | "refused" | "nobody" | undefined;
  /** Somebody who is signed in may see something else, so they don't see this before the app has drawn it. */
  isForStrangers?: boolean | undefined;
};

export function Frame({ header, footer, children, isFrame, answer, isForStrangers }: Props) {
  return (
    <div className={styles.layout} data-answer={answer} data-frame={isFrame}>
      <a className={styles.skip} href="#main">
        {text.actions.skipToContent}
      </a>
      {header}
      <main data-stranger={isForStrangers} id="main" tabIndex={-1}>
        {children}
      </main>
      {footer}
    </div>
  );
}
