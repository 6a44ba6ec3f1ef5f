import type { Schemas } from "@/shared/api/api";
import { REACTIONS_OF_MEMBER } from "@/shared/contract/limits";
import type { ChatState, Emoji } from "./chat";
import type { ReactFrame } from "./frames";

/** The reactions to a message with one emoji, and whose they are. */
export type Reaction = { sign: string; from: readonly Emoji[] };

/** The reactions to a message, as they were when the log ended at `at`. */
export type Reacted = { at: number; reactions: readonly Reaction[] };

/** What the reader wants: for each message, which reactions are to be there. The server hasn't confirmed these. */
export type Wished = ReadonlyMap<number, ReadonlyMap<string, boolean>>;

const NONE: readonly Reaction[] = [];

export function afterReact(
  { reacted, lastSeq, retracted }: ChatState,
  frame: ReactFrame,
): Partial<ChatState> {
  const { message, seq } = frame;
  // A member who is removed can change many messages at one `seq`, of which the notice comes last.
  const next = { lastSeq: Math.max(lastSeq, seq - 1) };
  if (retracted.has(message) || (reacted.get(message)?.at ?? 0) > seq) return next;
  return { ...next, reacted: new Map(reacted).set(message, { at: seq, reactions: reactionsOf(frame) }) };
}

/** Takes the reactions from frames of messages: those of a page, or one that has just come. The log ended at `at`. */
export function withReactions(
  { reacted, retracted }: Pick<ChatState, "reacted" | "retracted">,
  frames: readonly Schemas["LineFrame"][],
  at: number,
): ChatState["reacted"] {
  const next = new Map(reacted);
  for (const frame of frames) {
    if (!("sender" in frame) || retracted.has(frame.seq)) continue;
    const known = next.get(frame.seq);
    if (known ? known.at <= at : frame.reactions) next.set(frame.seq, { at, reactions: reactionsOf(frame) });
  }
  return next;
}

function reactionsOf({ reactions = [] }: { reactions?: Schemas["Reactions"][] }): Reaction[] {
  return reactions.map(({ emoji, from }) => ({ sign: emoji, from }));
}

/** The reactions to show: those of the server, with what the reader wants. */
export function shownReactions(
  reacted: Reacted | undefined,
  wishes: ReadonlyMap<string, boolean> | undefined,
  me: Emoji,
): readonly Reaction[] {
  let shown = reacted?.reactions ?? NONE;
  for (const [sign, on] of wishes ?? []) {
    const others = shown.find((reaction) => reaction.sign === sign)?.from.filter((emoji) => emoji !== me);
    const from = [...(others ?? []), ...(on ? [me] : [])];
    if (others) shown = shown.map((reaction) => (reaction.sign === sign ? { sign, from } : reaction));
    else if (on) shown = [...shown, { sign, from }];
  }
  return shown.some(({ from }) => from.length === 0) ? shown.filter(({ from }) => from.length > 0) : shown;
}

export function reactionsTo({ reacted, wished, me }: ChatState, seq: number): readonly Reaction[] {
  return shownReactions(reacted.get(seq), wished.get(seq), me);
}

/** Whether the reader has as many reactions on a message as a member may have. */
export function hasAll(state: ChatState, seq: number): boolean {
  const mine = reactionsTo(state, seq).filter(({ from }) => from.includes(state.me));
  return mine.length >= REACTIONS_OF_MEMBER;
}

/** Whether the server has what the reader wants. */
export function isGranted({ reacted, me }: ChatState, seq: number, sign: string, on: boolean): boolean {
  const from = reacted.get(seq)?.reactions.find((reaction) => reaction.sign === sign)?.from ?? [];
  return from.includes(me) === on;
}

/** Notes what the reader wants, or, with `undefined`, that it is confirmed or given up. */
export function wishing({ wished }: ChatState, seq: number, sign: string, on: boolean | undefined): Wished {
  const wishes = new Map(wished.get(seq));
  if (on === undefined) wishes.delete(sign);
  else wishes.set(sign, on);
  const next = new Map(wished);
  if (wishes.size > 0) next.set(seq, wishes);
  else next.delete(seq);
  return next;
}
