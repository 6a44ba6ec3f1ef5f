import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { answerLink, answerPath } from "@/shared/links";
import { showNotice } from "@/shared/notices";
import { RichText } from "@/shared/richText/RichText";
import { answersText } from "@/shared/text/answersText";
import { withoutOverrides } from "@/shared/text/directions";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import type { Note } from "./inboxStore";
import styles from "./PublicAnswer.module.css";

/** Only who answers needs it. */
const AnswerDialog = lazy(async () => ({ default: (await import("./AnswerDialog")).AnswerDialog }));

export type Answering = {
  username: string;
  publish: (note: string, answer: string) => Promise<void>;
  takeDown: (note: string) => Promise<void>;
  /** Shows note and answer as a picture. */
  onCapture: () => void;
};

/** Below an open note: what its owner has answered in public, or the way to do so if its sender lets them. */
export function PublicAnswer({ note, username, publish, takeDown, onCapture }: { note: Note } & Answering) {
  const words = answersText.mine;
  const { id, answer } = note;
  const [opened, setOpened] = useState<"write" | "takeDown">();
  const close = () => setOpened(undefined);
  return (
    <div className={styles.answer}>
      {note.only_for_you && (
        <p className={styles.kept}>
          <Icon name="lock" size={18} /> {words.onlyForYou}
        </p>
      )}
      {!note.only_for_you && !answer && (
        <Button aria-haspopup="dialog" onClick={() => setOpened("write")} size="s">
          <Icon name="send" size={18} /> {words.publish}
        </Button>
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
            <Button aria-haspopup="dialog" onClick={onCapture}>
              <Icon name="camera" size={18} /> {answersText.picture}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => setOpened("write")}>
              {words.edit}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => setOpened("takeDown")}>
              {words.takeDown.action}
            </Button>
          </p>
        </>
      )}
      <Suspense>
        {opened === "write" && (
          <AnswerDialog
            before={answer?.answer ?? ""}
            note={note.message}
            onClose={close}
            publish={(words) => publish(id, words)}
          />
        )}
      </Suspense>
      {opened === "takeDown" && (
        <ConfirmDialog
          {...words.takeDown}
          onClose={close}
          onConfirm={() => takeDown(id)}
          onDone={() => showNotice(words.takeDown.done)}
        />
      )}
    </div>
  );
}
