import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/links";
import { NoticePage } from "./NoticePage";
import styles from "./NoticePage.module.css";

export function UnexpectedError() {
  const words = text.unexpected;
  const error = useRouteError();
  const stack = error instanceof Error ? error.stack : undefined;

  useEffect(() => {
    document.title = text.unexpected.heading;
  }, []);

  return (
    <NoticePage body={describe(error)} emoji="🫠" heading={words.heading}>
      {stack && (
        <section aria-label={words.stack} className={styles.stack}>
          {/* Scrollable, so the keyboard has to be able to reach it. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <pre tabIndex={0}>{stack}</pre>
        </section>
      )}
      <ButtonLink to={paths.landing}>{text.actions.toStart}</ButtonLink>
    </NoticePage>
  );
}

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : text.unexpected.unknown;
}
