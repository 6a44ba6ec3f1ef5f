import type { ChatState, Emoji, Line, Message } from "./chat";
import { type ChatFrame, type Frame, isLogged, type NotifyFrame } from "./frames";
import { LineEdit } from "./LineEdit";
import { messageOf, noticeOf, without } from "./linesOf";
import { means } from "./mentions";

/** How long somebody is shown typing: the server passes it on every two seconds. */
export const TYPING_SHOWN_MS = 4000;

/** More at once are what was missed: they simply stand there. */
const ARRIVE_AT_ONCE = 3;

/** What is shown, and what has to be remembered for it. */
export type Chat = ChatState & {
  /** Places of messages that were taken back, should any copy of them still arrive. */
  unsent: ReadonlySet<number>;
  /** Where in the log `members` and `locked` were last told as a whole. */
  toldAt: number;
  /** Where it last said something of one seat; the door's key is empty. */
  changedAt: ReadonlyMap<Emoji | "", number>;
  typingUntil: ReadonlyMap<Emoji, number>;
  /** Whether what comes is seen as it comes. */
  looking: boolean;
};

/** The state after a frame. Frames may come twice and in any order. */
export function reduce(state: Chat, frame: Frame, now: number): Chat {
  return reduceAll(state, [frame], now);
}

/** The state after several frames that came in one go. */
export function reduceAll(state: Chat, frames: readonly Frame[], now: number): Chat {
  const areSeen = state.connection === "live" && frames.filter(isLogged).length <= ARRIVE_AT_ONCE;
  const turn = new Turn(state, now, areSeen ? { arrived: now } : {});
  for (const frame of frames) turn.take(frame);
  return turn.done();
}

/** One go: its parts are changed in place, and nobody sees them before it is done. */
class Turn {
  private readonly before: Chat;
  private readonly next: Chat;
  private readonly now: number;
  private readonly arriving: { arrived?: number };
  private readonly lines: LineEdit;
  private unsent: Set<number> | undefined;

  constructor(state: Chat, now: number, arriving: { arrived?: number }) {
    this.before = state;
    this.next = { ...state };
    this.now = now;
    this.arriving = arriving;
    this.lines = new LineEdit(state.lines);
  }

  take(frame: Frame) {
    const { next } = this;
    switch (frame.event) {
      case "event.chat":
      case "event.image":
        return this.message(frame);
      case "event.notify":
        return this.notice(frame);
      case "event.unsend":
        this.takeBack(frame.message_seq);
        // A removal takes many back in one place, and its notice follows: until then that place isn't whole.
        next.lastSeq = Math.max(next.lastSeq, frame.seq - 1);
        return;
      case "event.active-users":
        next.active = frame.active_users;
        // A connected member has a seat.
        next.members = [...new Set([...next.members, ...frame.active_users])];
        return;
      case "event.typing":
        if (frame.sender !== next.me) {
          next.typingUntil = new Map(next.typingUntil).set(frame.sender, this.now + TYPING_SHOWN_MS);
        }
        return;
      case "event.ready":
        if (frame.resumed) next.lastSeq = Math.max(next.lastSeq, frame.last_seq);
        else if (frame.last_seq < next.lastSeq) this.goBack(frame.last_seq);
    }
  }

  done(): Chat {
    const { before, next } = this;
    // Once for all that were taken back in this go.
    if (next.unsent !== before.unsent) this.lines.replaceAll((line) => without(line, next.unsent));
    next.lines = this.lines.current as Line[];
    if (next.typingUntil !== before.typingUntil) next.typing = [...next.typingUntil.keys()];
    return next;
  }

  private message(frame: ChatFrame) {
    const { next, lines } = this;
    const message: Message = { ...messageOf(frame, next.me), ...this.arriving };
    const waiting = message.mine ? lines.waiting(message.id) : -1;
    const sent = lines.current[waiting];
    if (waiting !== -1) lines.remove(waiting);
    if (next.typingUntil.has(message.sender)) {
      const others = new Map(next.typingUntil);
      others.delete(message.sender);
      next.typingUntil = others;
    }

    const known = lines.at(frame.seq);
    if (known?.kind === "message" && message.unsent && !known.unsent) this.takeBack(frame.seq);
    if (!known && !this.isBeforeTheFirst(frame.seq)) {
      if (sent?.kind === "message" && sent.uploaded) message.uploaded = true;
      lines.insert(without(message, next.unsent));
      if (!message.mine && !message.unsent && frame.seq > next.lastSeq) this.unread(message);
    }
    if (frame.seq > next.lastSeq) next.messageCount += 1;
    next.lastSeq = Math.max(next.lastSeq, frame.seq);
  }

  private notice(frame: NotifyFrame) {
    const { next, lines } = this;
    const notice = { ...noticeOf(frame), ...this.arriving };
    if (!lines.at(frame.seq) && !this.isBeforeTheFirst(frame.seq)) lines.insert(notice);
    next.lastSeq = Math.max(next.lastSeq, frame.seq);

    const { change } = notice;
    if (!change || "lost" in change) return;
    const whose = "emoji" in change ? change.emoji : "";
    if (frame.seq <= Math.max(next.toldAt, next.changedAt.get(whose) ?? 0)) return;
    next.changedAt = new Map(next.changedAt).set(whose, frame.seq);
    if ("locked" in change) next.room = { ...next.room, locked: change.locked };
    else next.members = seated(next.members, change.emoji, change.became === "joined");
  }

  /** Between such a line and the first would be a gap; it comes with its page. */
  private isBeforeTheFirst(seq: number): boolean {
    const first = this.lines.current[0]?.seq;
    return this.next.hasOlder && first !== undefined && seq < first;
  }

  /** The server was restored from a copy: what came after it is no more, and others will have those places. */
  private goBack(seq: number) {
    const { next, lines } = this;
    for (let at = lines.settled() - 1; at >= 0 && (lines.current[at]?.seq ?? 0) > seq; at -= 1)
      lines.remove(at);
    next.lastSeq = seq;
    next.toldAt = Math.min(next.toldAt, seq);
    next.changedAt = new Map();
    this.unsent = new Set([...next.unsent].filter((place) => place <= seq));
    next.unsent = this.unsent;
  }

  private takeBack(seq: number) {
    const { next } = this;
    if (next.unsent.has(seq)) return;
    // Copied once for all of this go: a removal can take thousands back.
    this.unsent ??= new Set(next.unsent);
    next.unsent = this.unsent.add(seq);
  }

  private unread({ key, words }: Message) {
    const { next } = this;
    if (next.looking) return;
    if (next.unread === 0) next.unreadFrom = key;
    next.unread += 1;
    next.mentioned ||= means(words, next.me);
  }
}

function seated(members: Emoji[], emoji: Emoji, isSeated: boolean): Emoji[] {
  if (members.includes(emoji) === isSeated) return members;
  return isSeated ? [...members, emoji] : members.filter((member) => member !== emoji);
}
