import { ANSWER_MAX } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { NoteWords } from "@/shared/richText/NoteWords";
import { answersText } from "@/shared/text/answersText";
import { appText } from "@/shared/text/appText";
import { isBlank } from "@/shared/text/characters";
import { Field } from "@/shared/ui/form/Field";
import { FormDialog } from "@/shared/ui/form/Form";
import { useForm } from "@/shared/ui/form/useForm";
import styles from "./PublicAnswer.module.css";

type Props = {
  note: string;
  /** What is published now. */
  before: string;
  publish: (answer: string) => Promise<void>;
  onClose: () => void;
};

const isEmpty = ({ answer }: { answer: string }) =>
  isBlank(answer) ? { answer: appText.codes.answer_empty } : {};

/** Writes a public answer, with the note above it. */
export function AnswerDialog({ note, before, publish, onClose }: Props) {
  const words = answersText.mine;
  const { field, submission } = useForm({ answer: before }, isEmpty, send, {
    fieldOf: { answer_empty: "answer", answer_too_long: "answer" },
  });

  async function send({ answer }: { answer: string }) {
    await publish(answer.trim());
    showNotice(words.published);
    onClose();
  }

  return (
    <FormDialog kind="hot" onClose={onClose} submission={submission} words={words.dialog}>
      <blockquote aria-label={answersText.note} className={styles.quoted}>
        <NoteWords message={note} />
      </blockquote>
      <Field
        {...field("answer")}
        autoComplete="off"
        data-first
        label={words.field}
        max={ANSWER_MAX}
        rows={5}
      />
    </FormDialog>
  );
}
