import { copyAndTell } from "@/shared/clipboard";
import { answerLink, answerPath } from "@/shared/links";
import { RichText } from "@/shared/richText/RichText";
import { answersText } from "@/shared/text/answersText";
import { withoutOverrides } from "@/shared/text/directions";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { ButtonLink } from "@/shared/ui/links";
import type { Note } from "./inboxStore";
import styles from "./PublicAnswer.module.css";

export type Answering = {
  username: string;
  publish: (note: string, answer: string) => Promise<void>;
  takeDown: (note: string) => Promise<void>;
  /** Shows note and answer as a picture. */
  onCapture: () => void;
};

type Props = Pick<Answering, "username"> & { note: Note };

/** Below an open note: what its owner has answered in public, or that its sender has asked them not to. */
export function PublicAnswer({ note: { only_for_you, answer }, username }: Props) {
  const words = answersText.mine;
  if (!only_for_you && !answer) return null;
  return (
    <div className={styles.answer}>
      {only_for_you && (
        <p className={styles.kept}>
          <Icon name="lock" size={18} /> {words.onlyForYou}
        </p>
      )}
      {answer && (
        <>
          <h3 className={styles.heading}>{words.yours}</h3>
          <p className={styles.words}>
            <RichText message={withoutOverrides(answer.answer)} />
          </p>
          <p className={styles.actions}>
            <ButtonLink to={answerPath(username, answer.id)}>{words.open}</ButtonLink>
            <Button onClick={() => void copyAndTell(answerLink(username, answer.id), answersText.copied)}>
              <Icon name="copy" size={18} /> {answersText.copy}
            </Button>
          </p>
        </>
      )}
    </div>
  );
}
