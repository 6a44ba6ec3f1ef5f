import { lazy, Suspense, useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { answerLink, personalPath, shareLink } from "@/shared/links";
import { answersText } from "@/shared/text/answersText";
import { Button } from "@/shared/ui/Button";
import { Icon } from "@/shared/ui/icons";
import { ButtonLink } from "@/shared/ui/links";
import { type Answer, AnswerCard } from "./AnswerCard";
import styles from "./AnswerPage.module.css";

/** The drawing code is loaded when somebody wants the picture. */
const CaptureDialog = lazy(async () => ({
  default: (await import("@/shared/capture/CaptureDialog")).CaptureDialog,
}));

/** One public answer at its own address. */
export function AnswerPage({ answer, username }: { answer: Answer; username: string }) {
  const words = answersText;
  const [captures, setCaptures] = useState(false);
  const link = () => answerLink(username, answer.id);
  const canShare = !import.meta.env.SSR && typeof navigator.share === "function";
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>{words.heading(username)}</h1>
      <AnswerCard answer={answer} isAlone username={username} />
      <p className={styles.actions} data-scripted>
        <Button onClick={() => void copyAndTell(link(), words.copied)}>
          <Icon name="copy" /> {words.copy}
        </Button>
        {canShare && (
          <Button onClick={() => void shareLink({ url: link() })}>
            <Icon name="share" /> {words.share}
          </Button>
        )}
        <Button aria-haspopup="dialog" onClick={() => setCaptures(true)}>
          <Icon name="camera" /> {words.picture}
        </Button>
      </p>
      <p className={styles.actions}>
        <ButtonLink kind="hot" size="l" to={personalPath(username)}>
          {words.write(username)}
        </ButtonLink>
      </p>
      <Suspense>
        {captures && (
          <CaptureDialog
            answer={answer.answer}
            message={answer.note}
            onClose={() => setCaptures(false)}
            username={username}
          />
        )}
      </Suspense>
    </div>
  );
}
