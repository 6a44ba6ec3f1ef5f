import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { api } from "@/shared/api/api";
import { ANSWERS_PAGE } from "@/shared/contract/limits";
import { showError } from "@/shared/notices";
import { answersText } from "@/shared/text/answersText";
import { failureText } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { type Answer, AnswerCard } from "./AnswerCard";
import styles from "./AnswerList.module.css";

/** Somebody's public answers, newest first. Nothing is drawn until there are some. */
export function AnswerList({ username }: { username: string }) {
  const words = answersText.list;
  const [answers, setAnswers] = useState<Answer[]>([]);
  const [hasOlder, setHasOlder] = useState(false);
  const [busy, setBusy] = useState(false);

  async function load(before?: string) {
    const query = { before, limit: ANSWERS_PAGE };
    const { data } = await api("get", "/api/annon/{username}/answers", { params: { username }, query });
    return data;
  }

  const begin = useEffectEvent(async () => {
    // Without them the page is what it is without answers: one can write.
    const newest = await load().catch(() => []);
    setAnswers(newest);
    setHasOlder(newest.length === ANSWERS_PAGE);
  });
  useEffect(() => void begin(), []);

  async function loadOlder() {
    setBusy(true);
    try {
      const older = await load(answers.at(-1)?.id);
      flushSync(() => {
        setAnswers([...answers, ...older]);
        setHasOlder(older.length === ANSWERS_PAGE);
      });
      // The button may be gone, and the focus goes on with what it has brought.
      const [first] = older;
      if (first) document.getElementById(`answer-${first.id}`)?.focus();
    } catch (failure) {
      showError(failureText(failure));
    }
    setBusy(false);
  }

  if (answers.length === 0) return null;
  return (
    <section aria-labelledby="answers" className={styles.answers}>
      <h2 id="answers">{words.heading}</h2>
      <ul className={styles.list}>
        {answers.map((answer) => (
          <li key={answer.id}>
            <AnswerCard answer={answer} username={username} />
          </li>
        ))}
      </ul>
      {hasOlder && (
        <Button busy={busy} onClick={() => void loadOlder()}>
          {words.older}
        </Button>
      )}
    </section>
  );
}
