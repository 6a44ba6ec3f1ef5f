import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ButtonLink } from "@/shared/ui/links";
import styles from "./NotePage.module.css";

/** The query by which the page is drawn for a name that nobody has. */
export const NOBODY = "?nobody";

/** Whether the server has said that nobody has the name. */
export const isNobodysPage = () => document.querySelector("[data-answer=nobody]") !== null;

/** The server's page for a name that nobody has. The app says the same on a page of its own, once it has asked. */
export function Nobody() {
  return (
    <div className={styles.page}>
      <EmojiDisc className="put-down" emoji="🕳️" size="l" />
      <h1 className={styles.heading}>{appText.codes.no_such_person}</h1>
      <p>{text.missing.body}</p>
      <ButtonLink kind="hot" to={paths.landing}>
        {text.actions.toStart}
      </ButtonLink>
    </div>
  );
}
