import { useId } from "react";
import { NOTE_MAX } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { capped } from "@/shared/text/characters";
import styles from "./NotePage.module.css";

type Props = { prompts: readonly string[]; message: string; onMessage: (message: string) => void };

/** What the owner of a page would like to be asked. A press puts it into the note, as its first line. */
export function Prompts({ prompts, message, onMessage }: Props) {
  const id = useId();
  const chosen = chosenIn(message, prompts);
  return (
    <div className={styles.prompts}>
      <p id={id}>{appText.note.prompts}</p>
      <ul aria-labelledby={id} className={styles.chips}>
        {prompts.map((prompt, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and their order stays
          <li key={at}>
            <button
              aria-pressed={chosen === prompt}
              className={styles.chip}
              onClick={({ currentTarget }) => {
                onMessage(withPrompt(message, prompt, prompts));
                currentTarget.form?.querySelector("textarea")?.focus();
              }}
              type="button"
            >
              <bdi>{prompt}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function chosenIn(message: string, prompts: readonly string[]): string | undefined {
  return prompts.find((prompt) => message === prompt || message.startsWith(`${prompt}\n`));
}

/** The note with this prompt above it, in place of another one. Pressed again, it goes. */
export function withPrompt(message: string, prompt: string, prompts: readonly string[]): string {
  const before = chosenIn(message, prompts);
  const rest = before === undefined ? message : message.slice(before.length).replace(/^\n/u, "");
  return before === prompt ? rest : capped(`${prompt}\n${rest}`, NOTE_MAX);
}
