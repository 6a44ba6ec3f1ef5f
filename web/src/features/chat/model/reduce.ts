import type { Arriving, ChatState, Emoji, Line, Message } from "./chat";
import { type ChatFrame, type Frame, isLogged, type NotifyFrame } from "./frames";
import { messageOf, noticeOf, withoutRetracted } from "./linesOf";
import { mentions } from "./mentions";
import { afterPair } from "./pair";
import { afterReact, type Reacted, withReactions } from "./reactions";

/** How long "typing" is shown. The server sends it every two seconds while somebody types. */
export const TYPING_SHOWN_MS = 4000;

/** If more lines come in one go, they were missed before and are not animated. */
const ARRIVE_AT_ONCE = 3;

/** The state after frames that came in one go. A frame may come twice, and frames may come in any order. */
export function reduceAll(state: ChatState, frames: readonly Frame[], now: number): ChatState {
  const areSeen = state.connection === "live" && frames.filter(isLogged).length <= ARRIVE_AT_ONCE;
  const arriving: Arriving = areSeen ? { arrived: now } : {};
  // In one step: removing a member can take thousands of messages back.
  let next = withRetracted(state, frames.flatMap(placesRetracted));
  for (const frame of frames) next = { ...next, ...changesBy(frame, next, now, arriving) };
  return next;
}

function placesRetracted(frame: Frame): number[] {
  if (frame.event === "event.unsend") return [frame.message_seq];
  return "unsent" in frame && frame.unsent ? [frame.seq] : [];
}

function withRetracted(state: ChatState, places: readonly number[]): ChatState {
  if (places.every((place) => state.retracted.has(place))) return state;
  const retracted = new Set([...state.retracted, ...places]);
  const lines = state.lines.map((line) => withoutRetracted(line, retracted));
  return { ...state, retracted, lines, reacted: kept(state, (place) => !retracted.has(place)) };
}

function changesBy(frame: Frame, state: ChatState, now: number, arriving: Arriving) {
  switch (frame.event) {
    case "event.chat":
    case "event.image":
      return afterMessage(state, frame, arriving);
    case "event.notify":
      return afterNotice(state, frame, arriving);
    case "event.unsend":
      // Removing a member takes many messages back at one `seq`. The notice comes last: only then `seq` is complete.
      return { lastSeq: Math.max(state.lastSeq, frame.seq - 1) };
    case "event.passed":
      return { lastSeq: Math.max(state.lastSeq, frame.seq) };
    case "event.react":
      return afterReact(state, frame);
    case "event.seen":
    case "event.open":
      return afterPair(state, frame);
    case "event.active-users":
      // A connected member has a seat.
      return {
        active: frame.active_users,
        members: [...new Set([...state.members, ...frame.active_users])],
      };
    case "event.typing":
      if (frame.sender === state.me) return undefined;
      return { typing: new Map(state.typing).set(frame.sender, now + TYPING_SHOWN_MS) };
    case "event.ready":
      if (frame.resumed) return { lastSeq: Math.max(state.lastSeq, frame.last_seq) };
      return frame.last_seq < state.lastSeq ? backTo(state, frame.last_seq) : undefined;
    case "event.error":
    case "event.closed":
      // `ChatRoom` and `Connection` act on these.
      return undefined;
    default:
      // The frame of a newer server.
      frame satisfies never;
      return undefined;
  }
}

function afterMessage(state: ChatState, frame: ChatFrame, arriving: Arriving): Partial<ChatState> {
  const { lastSeq, me } = state;
  const message: Message = { ...messageOf(frame, me), ...arriving };
  const sent = message.mine ? state.lines.findLast((line) => isPending(line, message.id)) : undefined;
  if (sent?.kind === "message" && sent.uploaded) message.uploaded = true;
  const others = sent ? state.lines.filter((line) => line !== sent) : state.lines;
  const lines = withLine(state, others, withoutRetracted(message, state.retracted));
  const isNew = frame.seq > lastSeq;
  const isNews = isNew && lines !== others && !message.mine && !message.retracted && !state.seesEnd;
  return {
    lines,
    ...(frame.reactions && { reacted: withReactions(state, [frame], frame.seq) }),
    typing: typers(state.typing, ([emoji]) => emoji !== message.sender),
    ...(isNews && {
      unread: state.unread + 1,
      unreadFrom: state.unread === 0 ? message.key : state.unreadFrom,
      mentioned: state.mentioned || mentions(message.words, me),
    }),
    ...(isNew && { lastSeq: frame.seq, messageCount: state.messageCount + 1 }),
  };
}

function afterNotice(state: ChatState, frame: NotifyFrame, arriving: Arriving): Partial<ChatState> {
  const { seq } = frame;
  const notice = { ...noticeOf(frame), ...arriving };
  const { change } = notice;
  const next = { lines: withLine(state, state.lines, notice), lastSeq: Math.max(state.lastSeq, seq) };
  if (!change || "lost" in change) return next;
  const whose = "emoji" in change ? change.emoji : "";
  if (seq <= Math.max(state.seatsAt, state.changedAt.get(whose) ?? 0)) return next;
  const changedAt = new Map(state.changedAt).set(whose, seq);
  if ("locked" in change) return { ...next, changedAt, room: { ...state.room, locked: change.locked } };
  const others = state.members.filter((member) => member !== whose);
  const isIn = others.length < state.members.length;
  if (change.became !== "joined") return { ...next, changedAt, members: others };
  return { ...next, changedAt, members: isIn ? state.members : [...others, whose] };
}

/** The server was restored from a backup: events after `lastSeq` are gone, and new ones will get their places. */
function backTo(state: ChatState, lastSeq: number): Partial<ChatState> {
  return {
    lastSeq,
    lines: state.lines.filter(({ seq }) => seq === undefined || seq <= lastSeq),
    seatsAt: Math.min(state.seatsAt, lastSeq),
    changedAt: new Map(),
    retracted: new Set([...state.retracted].filter((place) => place <= lastSeq)),
    reacted: kept(state, (_, { at }) => at <= lastSeq),
  };
}

/** Only the reactions for which `stays` is true. */
function kept({ reacted }: ChatState, stays: (place: number, reactions: Reacted) => boolean) {
  return new Map([...reacted].filter((entry) => stays(...entry)));
}

/** Adds a line at its place, above pending messages. Adds none twice, and none that would leave a gap. */
function withLine({ hasOlder }: ChatState, lines: Line[], line: Line): Line[] {
  const { seq = 0 } = line;
  const at = lines.findLastIndex((other) => other.seq !== undefined && other.seq <= seq) + 1;
  if (lines[at - 1]?.seq === seq || (hasOlder && at === 0 && lines[0]?.seq !== undefined)) return lines;
  return lines.toSpliced(at, 0, line);
}

export function isPending(line: Line, id: string): boolean {
  return line.kind === "message" && line.seq === undefined && line.id === id;
}

/** Only the typers for whom `stays` is true. The same map if that is everybody. */
export function typers(typing: ChatState["typing"], stays: (typer: [Emoji, number]) => boolean) {
  const left = [...typing].filter(stays);
  return left.length === typing.size ? typing : new Map(left);
}
