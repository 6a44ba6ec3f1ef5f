import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router-dom";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/ButtonLink";
import { Logo } from "@/shared/ui/Logo";
import styles from "./UnexpectedError.module.css";

/** The screen for what nobody foresaw, with enough on it to report the fault. */
export function UnexpectedError() {
  const error = useRouteError();
  const stack = error instanceof Error ? error.stack : undefined;

  useEffect(() => {
    document.title = text.unexpected.title;
  }, []);

  return (
    <main className={styles.page} id="main" tabIndex={-1}>
      <Logo />
      <h1 className={styles.heading}>{text.unexpected.heading}</h1>
      <p className={styles.what}>{describe(error)}</p>
      {stack && (
        <section aria-label={text.unexpected.stack} className={styles.stack}>
          {/* Scrollable, so the keyboard has to be able to reach it. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <pre tabIndex={0}>{stack}</pre>
        </section>
      )}
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </main>
  );
}

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : text.unexpected.unknown;
}
