import { useId } from "react";
import { noteText } from "@/shared/text/noteText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./NotePage.module.css";

type Props = {
  prompts: readonly string[];
  chosen: string | undefined;
  onChoose: (prompt: string | undefined) => void;
};

/** What the owner of a page would like to be asked. The chosen one is a question above the note, which answers it. */
export function Prompts({ prompts, chosen, onChoose }: Props) {
  const id = useId();
  const words = noteText.prompts;
  if (chosen !== undefined) {
    return (
      <p className={styles.question}>
        <bdi id={id}>{chosen}</bdi>
        <IconButton
          aria-describedby={id}
          icon="close"
          label={words.none}
          onClick={() => onChoose(undefined)}
        />
      </p>
    );
  }
  if (prompts.length === 0) return null;
  return (
    <div className={styles.prompts}>
      <p className="visually-hidden" id={id}>
        {words.label}
      </p>
      <ul aria-labelledby={id} className={styles.chips}>
        {prompts.map((prompt, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and their order stays
          <li key={at}>
            <button className={styles.chip} onClick={() => onChoose(prompt)} type="button">
              <bdi>{prompt}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
