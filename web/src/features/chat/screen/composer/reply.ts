import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";

export const VIBRATION_MS = 50;

/** One can answer, and react to, a message that is on the server and was not taken back: not in a closed conversation. */
export function useCanReply() {
  const { store } = useRoom();
  return (message: Message | undefined): message is Message =>
    message?.seq !== undefined &&
    !message.retracted &&
    !message.unopened &&
    store.getState().pair?.isOpen !== false;
}

export function composer(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-composer]");
}

/** Chooses the message with this `seq` to answer, or none, and puts the focus into the message box. */
export function useReplyTo() {
  const { actions, screen } = useRoom();
  return function replyTo(seq: number | undefined) {
    screen.setState({ replyTo: seq });
    actions.keepDraft({ words: actions.draft().words, replyTo: seq });
    composer()?.focus();
  };
}

/** Chooses the message to answer; the phone vibrates. */
export function useReply() {
  const replyTo = useReplyTo();
  const canReply = useCanReply();
  return function reply(message: Message) {
    if (!canReply(message)) return;
    navigator.vibrate?.(VIBRATION_MS);
    replyTo(message.seq);
  };
}

/** Puts words at the caret as if they were typed: they replace the selection, and can be undone. */
export function typeInto(field: HTMLTextAreaElement, words: string, from = field.selectionStart) {
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, field.selectionEnd);
  // Only `execCommand` keeps the field's undo history. In a browser without it there is no undo.
  if (document.execCommand?.("insertText", false, words)) return;
  field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: words, inputType: "insertText" }));
}
