import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { capped } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import styles from "./Composer.module.css";

type Props = {
  value: string;
  /** How many characters it takes. */
  max: number;
  describedBy: string | undefined;
  onValue: (value: string) => void;
  onSend: () => void;
};

/** The messages of the log; those of a gallery are inside its row. */
const MESSAGES = "[role=log] :is(article[data-row], article [data-row])";

/** A text field that grows with its text, up to six rows. */
export function MessageBox({ value, max, describedBy, onValue, onSend }: Props) {
  const words = chatText.screen.composer;
  const field = useRef<HTMLTextAreaElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew for each text
  useLayoutEffect(() => {
    const { current } = field;
    if (!current || CSS.supports("field-sizing", "content")) return;
    current.style.blockSize = "auto";
    current.style.blockSize = `${current.scrollHeight + current.offsetHeight - current.clientHeight}px`;
  }, [value]);

  /** Words that an input method is composing (Japanese, say) are not cut before they are complete. */
  function change(event: ChangeEvent<HTMLTextAreaElement>) {
    const composing = event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing;
    onValue(composing ? event.target.value : capped(event.target.value, max));
  }

  /**
   * On a phone Enter makes a new line, as in other apps, and the button sends. In an empty field the up arrow moves
   * the focus to the newest message that is drawn.
   */
  function press(event: KeyboardEvent) {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === "ArrowUp" && isPlain && value === "") {
      event.preventDefault();
      [...document.querySelectorAll<HTMLElement>(MESSAGES)].at(-1)?.focus();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return;
    if (matchMedia("(pointer: coarse) and (not (any-pointer: fine))").matches) return;
    event.preventDefault();
    onSend();
  }

  return (
    <textarea
      aria-describedby={describedBy}
      aria-keyshortcuts="ArrowUp"
      aria-label={words.label}
      autoComplete="off"
      className={styles.field}
      data-composer
      dir="auto"
      enterKeyHint="enter"
      onChange={change}
      onCompositionEnd={(event) => onValue(capped(event.currentTarget.value, max))}
      onKeyDown={press}
      placeholder={words.placeholder}
      ref={field}
      rows={1}
      value={value}
    />
  );
}
