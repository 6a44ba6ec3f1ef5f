import type { ChatState, Emoji } from "./chat";
import type { OpenFrame, SeenFrame } from "./frames";

/** The two who have a conversation: the owner of the inbox, and the sender of the note. */
export type Side = "owner" | "sender";

/** What a conversation has and a group doesn't. */
export type Pair = {
  /** The reader's side. */
  side: Side;
  /** The owner's name. */
  to: string;
  /** The note that it began with; if that is sealed, and so the conversation, with the id that it was sealed for. */
  note: { message: string; date: string; sealed?: string };
  /** Whether more can be said. */
  isOpen: boolean;
  /** The `seq` of the reader's last line that the other one has seen. */
  seen: number;
};

/** Both are drawn as emoji, like members of a group. No member of a group has these. */
export const EMOJI_OF: Record<Side, Emoji> = { owner: "🏷️", sender: "🎭" };

export function otherSide(side: Side): Side {
  return side === "owner" ? "sender" : "owner";
}

export function afterPair({ pair, lastSeq }: ChatState, frame: SeenFrame | OpenFrame): Partial<ChatState> {
  const next = { lastSeq: Math.max(lastSeq, frame.seq) };
  if (!pair) return next;
  if (frame.event === "event.open") return { ...next, pair: { ...pair, isOpen: frame.open } };
  if (frame.from === pair.side) return next;
  return { ...next, pair: { ...pair, seen: Math.max(pair.seen, frame.upto) } };
}
