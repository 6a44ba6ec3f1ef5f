import type { ChatState, Message } from "../chat";
import { useRoom } from "./chatContext";

const VIBRATION_MS = 50;

/** An answer needs a message that is on the server and still says something. */
export function canReply(message: Message | undefined): message is Message {
  return message !== undefined && message.seq !== undefined && !message.unsent;
}

/** The message at that place of the log. */
export function messageAt(state: ChatState, seq: number | undefined): Message | undefined {
  const line = seq === undefined ? undefined : state.lines.findLast((known) => known.seq === seq);
  return line?.kind === "message" ? line : undefined;
}

/** Where one writes. */
export function composer(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-composer]");
}

/** Chooses the message to answer: the bar is filled, the phone nods, and one can write. */
export function useReply() {
  const { actions, screen } = useRoom();
  return function reply(message: Message) {
    if (!canReply(message)) return;
    screen.setState({ replyTo: message.seq });
    actions.keepDraft({ words: actions.draft().words, replyTo: message.seq });
    navigator.vibrate?.(VIBRATION_MS);
    composer()?.focus();
  };
}
