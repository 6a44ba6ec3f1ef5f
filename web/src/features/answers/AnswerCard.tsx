import { Link } from "react-router-dom";
import type { Schemas } from "@/shared/api/api";
import { answerPath } from "@/shared/links";
import { NoteWords } from "@/shared/richText/NoteWords";
import { RichText } from "@/shared/richText/RichText";
import { answersText } from "@/shared/text/answersText";
import { withoutOverrides } from "@/shared/text/directions";
import { noteDate } from "@/shared/text/noteDate";
import styles from "./AnswerCard.module.css";

export type Answer = Schemas["AnswerItem"];

type Props = {
  answer: Answer;
  username: string /** On its own page it is no link to itself. */;
  isAlone?: boolean;
};

/** A note and what was answered to it. */
export function AnswerCard({ answer: { id, note, answer, date }, username, isAlone = false }: Props) {
  const words = answersText;
  const on = noteDate(date);
  const time = <time dateTime={on.machine || undefined}>{on.date}</time>;
  return (
    <article
      aria-label={words.list.open(withoutOverrides(note))}
      className={styles.card}
      id={`answer-${id}`}
      tabIndex={-1}
    >
      <blockquote aria-label={words.note} className={styles.note}>
        <NoteWords message={note} />
      </blockquote>
      <div className={styles.answer}>
        <RichText message={withoutOverrides(answer)} />
      </div>
      <p className={styles.date}>
        {isAlone ? (
          time
        ) : (
          <Link className="target" to={answerPath(username, id)}>
            <span className="visually-hidden">{words.list.open(withoutOverrides(note))}</span> {time}
          </Link>
        )}
      </p>
    </article>
  );
}
