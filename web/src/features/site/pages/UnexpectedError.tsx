import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { text } from "@/shared/text/text";
import { ButtonLink } from "@/shared/ui/Button";
import { MissingPage } from "./MissingPage";
import { NoticePage } from "./NoticePage";
import styles from "./NoticePage.module.css";

/** What the router could not show: an address that leads nowhere, or a page that broke. */
export function UnexpectedError() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const { heading } = isMissing ? text.missing : text.unexpected;

  useEffect(() => {
    document.title = heading;
  }, [heading]);

  return isMissing ? <MissingPage /> : <Broken error={error} />;
}

function Broken({ error }: { error: unknown }) {
  const words = text.unexpected;
  const stack = error instanceof Error ? error.stack : undefined;
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
