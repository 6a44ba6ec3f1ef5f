import type { ChatState, Message } from "../../model/chat";
import { useRoom } from "../chatContext";

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

/** The newest message that is drawn; where one reads far above the end, it is the one nearest to that. */
export function newestDrawn(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>("[role=log] article")].at(-1);
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

/** Chooses the message to answer, and the phone nods. */
export function useReply() {
  const replyTo = useReplyTo();
  return function reply(message: Message) {
    if (!canReply(message)) return;
    navigator.vibrate?.(VIBRATION_MS);
    replyTo(message.seq);
  };
}
