import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { chatText } from "@/shared/text/chatText";
import { capped } from "@/shared/ui/TextArea";
import styles from "./Composer.module.css";

type Props = {
  value: string;
  max: number;
  describedBy: string | undefined;
  onValue: (value: string) => void;
  onSend: () => void;
};

/** A field that grows with what is in it, up to six rows. */
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

  /** Cut while it is being composed, a word of Japanese would fall apart; it is cut when it is done. */
  function change(event: ChangeEvent<HTMLTextAreaElement>) {
    const composing = event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing;
    onValue(composing ? event.target.value : capped(event.target.value, max));
  }

  /** On a phone Enter is a new line, as its users know it; there is a button to send. */
  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return;
    if (matchMedia("(pointer: coarse) and (not (any-pointer: fine))").matches) return;
    event.preventDefault();
    onSend();
  }

  return (
    <textarea
      aria-describedby={describedBy}
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
