import type { Schemas } from "@/shared/api/api";
import type { Connection } from "../connection/Connection";
import type { Environment } from "../environment";
import type { ChatState, Emoji, Line, Message } from "./chat";
import { lineOf, withoutRetracted } from "./linesOf";
import { emojisOf, mentions } from "./mentions";
import type { Pair } from "./pair";
import { withReactions } from "./reactions";
import { isPending, typers } from "./reduce";

/** A room with its newest lines. That of a conversation is made from the server's answer for it. */
export type RoomPage = Schemas["RoomData"] & { pair?: Pair };

/** What a room's state starts with. */
export type Start = {
  data: RoomPage;
  me: Emoji;
  amCreator: boolean;
  /** By this device's clock. */
  expiresAt: number;
  /** If it is sealed: the key in a group's link, and what the page uses in the place of what others use. */
  seal?: {
    key?: string;
    environment: (open: Environment) => Environment;
    Connection: typeof Connection;
  };
};

export function opened({ data, me, amCreator, expiresAt, seal }: Start): ChatState {
  const { id, link, name, date, creator, locked, ask_first: askFirst } = data;
  const lines = data.messages.map((frame) => lineOf(frame, me));
  const retracted = new Set(retractedIn(lines));
  return {
    room: { id, link, key: seal?.key, name, date, creator, locked, askFirst, expiresAt },
    me,
    amCreator,
    lines,
    members: data.members,
    active: [],
    emojis: emojisOf({ members: [...data.members, me], lines }),
    typing: new Map(),
    connection: "connecting",
    lastSeq: data.last_seq,
    messageCount: data.message_count,
    hasOlder: data.has_older,
    loadingOlder: false,
    unreadFrom: undefined,
    unread: 0,
    mentioned: false,
    ended: undefined,
    unsent: "",
    retracted,
    reacted: withReactions({ reacted: new Map(), retracted }, data.messages, data.last_seq),
    wished: new Map(),
    seatsAt: data.last_seq,
    changedAt: new Map(),
    seesEnd: true,
    pair: data.pair,
  };
}

/** Too many events were missed: the newest page replaces all lines, except own messages that are pending. */
export function reloaded(state: ChatState, data: RoomPage): ChatState {
  const page = data.messages.map((frame) => lineOf(frame, state.me));
  const settled = new Set(page.map(({ key }) => key));
  // Lines that came after the server made the page stay, too.
  const later = state.lines.filter(
    (line) => (line.seq ?? Number.POSITIVE_INFINITY) > data.last_seq && !settled.has(line.key),
  );
  const missed = page.filter(
    (line) => line.kind === "message" && !line.mine && !line.retracted && (line.seq ?? 0) > state.lastSeq,
  );
  const unread = state.seesEnd ? 0 : missed.length;
  const retracted = new Set([...state.retracted, ...retractedIn(page)]);
  return {
    ...withSeats(state, data),
    lines: [...page, ...later].map((line) => withoutRetracted(line, retracted)),
    retracted,
    reacted: withReactions({ reacted: state.reacted, retracted }, data.messages, data.last_seq),
    lastSeq: Math.max(state.lastSeq, data.last_seq),
    messageCount: data.last_seq < state.lastSeq ? state.messageCount : data.message_count,
    hasOlder: data.has_older,
    unread: state.unread + unread,
    mentioned:
      state.mentioned ||
      (unread > 0 && missed.some((line) => line.kind === "message" && mentions(line.words, state.me))),
    unreadFrom: unread > 0 && state.unread === 0 ? missed[0]?.key : state.unreadFrom,
    pair: data.pair ?? state.pair,
  };
}

/** The `seq` of each line that was taken back. Pending messages may quote them. */
function retractedIn(lines: readonly Line[]): number[] {
  return lines.flatMap((line) =>
    line.kind === "message" && line.retracted && line.seq !== undefined ? [line.seq] : [],
  );
}

/**
 * Takes who has a seat, whether the group is locked, and its link from a page. Changes that came with events after the page are
 * newer and stay.
 */
export function withSeats(
  state: ChatState,
  { members, locked, link, last_seq }: Schemas["RoomData"],
): ChatState {
  if (last_seq < state.seatsAt) return state;
  const newer = (whose: Emoji | "") => (state.changedAt.get(whose) ?? 0) > last_seq;
  const kept = state.members.filter(newer);
  return {
    ...state,
    room: { ...state.room, link, locked: newer("") ? state.room.locked : locked },
    members: [...members.filter((emoji) => !newer(emoji)), ...kept],
    seatsAt: last_seq,
  };
}

export function withOlder(
  state: ChatState,
  {
    messages,
    has_older: hasOlder,
    last_seq,
  }: Pick<Schemas["RoomData"], "messages" | "has_older" | "last_seq">,
): ChatState {
  const first = state.lines[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = messages
    .filter(({ seq }) => seq < first)
    .map((frame) => withoutRetracted(lineOf(frame, state.me), state.retracted));
  const reacted = withReactions(state, messages, last_seq);
  return { ...state, lines: [...older, ...state.lines], reacted, hasOlder };
}

/** Adds the reader's own new message, after those written before. A reader who answers has read everything. */
export function queued(state: ChatState, message: Message): ChatState {
  const { lines } = state;
  if (lines.some((line) => line.key === message.key)) return state;
  const next = lines.findIndex(({ seq, time }) => seq === undefined && time > message.time);
  const at = next === -1 ? lines.length : next;
  return {
    ...state,
    lines: lines.toSpliced(at, 0, withoutRetracted(message, state.retracted)),
    unread: 0,
    mentioned: false,
    unreadFrom: undefined,
  };
}

export function changed(state: ChatState, id: string, change: Partial<Message>): ChatState {
  const at = state.lines.findLastIndex((line) => line.kind === "message" && line.mine && line.id === id);
  const message = state.lines[at];
  if (message?.kind !== "message") return state;
  return { ...state, lines: state.lines.with(at, { ...message, ...change }) };
}

export function dismissed(state: ChatState, id: string): ChatState {
  const lines = state.lines.filter((line) => !isPending(line, id));
  return lines.length === state.lines.length ? state : { ...state, lines };
}

export function stillTyping(state: ChatState, now: number): ChatState {
  const typing = typers(state.typing, ([, until]) => until > now);
  return typing === state.typing ? state : { ...state, typing };
}
