import { asked } from "@/shared/text/asked";
import { withoutOverrides } from "@/shared/text/directions";
import styles from "./NoteWords.module.css";
import { RichText } from "./RichText";

/** The words of a note, with the prompt that it answers as a quoted question above them. */
export function NoteWords({ message }: { message: string }) {
  const { question, words } = asked(withoutOverrides(message));
  return (
    <>
      {question && (
        <span className={styles.question} dir="auto">
          {question}
        </span>
      )}
      <RichText message={words} />
    </>
  );
}
