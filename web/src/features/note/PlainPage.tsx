import type { ReactNode } from "react";
import { answersText } from "@/shared/text/answersText";
import { appText } from "@/shared/text/appText";
import { noteText } from "@/shared/text/noteText";
import styles from "./NotePage.module.css";

/*
 * What the server puts into somebody's page for browsers without scripts. It is drawn when the app is built, and no
 * browser loads its code.
 */

/** The server draws this as often as there is something for it, and puts that in the place of its names in braces. */
const each = (what: string, drawn: ReactNode) => (
  <>
    {`{each ${what}}`}
    {drawn}
    {`{end ${what}}`}
  </>
);

/** Above the field: the owner's line, why a note would be refused, and what they would like to be asked. */
export function PlainOwner() {
  return (
    <div className={styles.writing}>
      {each("id", <input name="note_id" type="hidden" value="{note_id}" />)}
      {each(
        "line",
        <p className={styles.line}>
          <bdi>{"{line}"}</bdi>
        </p>,
      )}
      {each("paused", <p>{appText.codes.inbox_paused}</p>)}
      {each("sealed", <p className={styles.sealedOnly}>{noteText.plain.sealed("{username}")}</p>)}
      {each("unsealed", <p>{noteText.plain.unsealed("{username}")}</p>)}
      {each("shield", <p>{appText.codes.tag_needed}</p>)}
      <ul aria-label={noteText.prompts.label} className={styles.plainPrompts}>
        {each(
          "prompt",
          <li className={styles.question}>
            <bdi>{"{prompt}"}</bdi>
          </li>,
        )}
      </ul>
    </div>
  );
}

/** Below the form: what the owner has answered in public. */
export function PlainAnswers() {
  return (
    <div className={`page ${styles.plainAnswers}`}>
      {each("answers", <h2>{answersText.list.heading}</h2>)}
      {each(
        "answer",
        <article className={`sheet ${styles.plainAnswer}`}>
          <blockquote className={styles.question}>
            <bdi>{"{note}"}</bdi>
          </blockquote>
          <p>{"{answer}"}</p>
          <p className="soft">
            <a className="target" href="/{username}/a/{id}">
              {"{date}"}
            </a>
          </p>
        </article>,
      )}
    </div>
  );
}
