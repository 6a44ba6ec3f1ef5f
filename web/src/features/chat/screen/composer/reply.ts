import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";

const VIBRATION_MS = 50;

/** An answer needs a message that is on the server and still says something. */
export function canReply(message: Message | undefined): message is Message {
  return message !== undefined && message.seq !== undefined && !message.unsent;
}

export function composer(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-composer]");
}

/** Fills the bar with the message at that place of the log, or empties it, and one can write. */
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
  return function reply(message: Message) {
    if (!canReply(message)) return;
    navigator.vibrate?.(VIBRATION_MS);
    replyTo(message.seq);
  };
}

/** Puts words where the caret is, as if they were typed: what is selected makes room for them, and it can be undone. */
export function typeInto(field: HTMLTextAreaElement, words: string, from = field.selectionStart) {
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, field.selectionEnd);
  // Nothing else keeps the field's own history; a browser that has given it up puts the words in without.
  if (document.execCommand?.("insertText", false, words)) return;
  field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, data: words, inputType: "insertText" }));
}
