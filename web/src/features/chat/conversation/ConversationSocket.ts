import type { Schemas } from "@/shared/api/api";
import { ApiFailure, type Refusal } from "@/shared/api/client";
import type { Code } from "@/shared/contract/codes";
import { parsed } from "@/shared/json";
import { EMOJI_OF, otherSide, type Side } from "../model/pair";
import { type Access, type ConversationCalls, chatFrameOf, reactionOf } from "./conversationCalls";

type LineFrame = Schemas["LineItem"] & { event: "event.line" };
type UnsendFrame = { event: "event.unsend"; line: number; seq: number };
type TypingFrame = Schemas["WritingFrame"] & { event: "event.typing" };
type ReactedFrame = Schemas["ReactedFrame"] & { event: "event.react" };
type ClosedFrame = { event: "event.closed" } & Refusal;
type RefusedFrame = { event: "event.error"; id?: string } & Refusal;
/** The other frames are a room's as well. */
type Frame =
  | LineFrame
  | UnsendFrame
  | TypingFrame
  | ReactedFrame
  | ClosedFrame
  | RefusedFrame
  | { event: "event.ready" };

/** These are nobody's mistake and pass: without an answer the page asks again. */
const PASSING: readonly Code[] = ["cannot_store", "internal", "no_space"];

/** What a room's page sends. */
type Sent = {
  event: string;
  id?: string;
  /** With a reaction: the `seq` of its message. */
  message?: string | number;
  reply?: Schemas["Quote"] | null;
  sealed?: boolean;
  emoji?: string;
  on?: boolean;
  since?: number;
};

export type Room = {
  /** The `seq` of the last event that the page has. */
  since: () => number;
  /** The `seq` of a line of the reader's own. */
  placeOf: (id: string) => number | undefined;
  /** Whether this page is just ending the conversation. The server may say that it is over before it has answered. */
  isEnding: () => boolean;
  /** The owner's sign-in has ended. */
  signedOut: () => void;
  /** The lines that were sent through a socket. */
  sent: Set<string>;
};

/**
 * A room's socket, for a room that is a conversation: speaks to the page as a room does, and to the server as a
 * conversation does. So a conversation has the same outbox, the same resume and the same screen as a room.
 */
export class ConversationSocket {
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  private readonly side: Side;
  private readonly socket: WebSocket;
  private readonly calls: ConversationCalls;
  private readonly room: Room;
  /** A line was refused because the other one has to answer first. */
  private waits = false;

  constructor(
    open: (protocols: string[]) => WebSocket,
    { token, key }: Access,
    calls: ConversationCalls,
    room: Room,
  ) {
    this.side = token === undefined ? "sender" : "owner";
    this.calls = calls;
    this.room = room;
    this.socket = open(token === undefined ? ["annon-key", key] : ["bearer", token]);
    this.socket.onopen = () => this.onopen?.();
    this.socket.onmessage = ({ data }) => this.receive(parsed(data) as Frame);
    this.socket.onclose = ({ code }) => this.onclose?.({ code });
  }

  get readyState() {
    return this.socket.readyState;
  }

  close(code?: number) {
    this.socket.close(code);
  }

  /** Tells the other side that everything up to here was seen. */
  seen(seq: number): boolean {
    const isOpen = this.readyState === WebSocket.OPEN;
    if (isOpen) this.socket.send(JSON.stringify({ event: "event.seen", seq }));
    return isOpen;
  }

  send(text: string) {
    const {
      event,
      id = "",
      message = "",
      reply,
      sealed,
      emoji,
      on,
      since,
    } = (parsed(text) as { message: Sent }).message;
    if (event === "event.connect") this.connect(since);
    // The page only wants to know whether the server is there.
    else if (event === "event.active-users") this.connect(this.room.since());
    else if (event === "event.chat")
      this.say({
        id,
        message: String(message),
        ...(reply && { reply: Number(reply[2]) }),
        ...(sealed && { sealed }),
      });
    else if (event === "event.react")
      this.socket.send(JSON.stringify({ event, id, line: message, emoji, on }));
    else if (event === "event.typing") this.socket.send(JSON.stringify({ event }));
    else if (event === "event.unsend") {
      const place = this.room.placeOf(id);
      if (place !== undefined) void this.attempt(id, this.calls.unsend(place));
    }
  }

  /** A line that got no answer goes by a call, since that has one whatever became of the socket. */
  private say(line: Schemas["SayLine"]) {
    const { id } = line;
    if (this.room.sent.has(id)) void this.attempt(id, this.calls.say(line));
    else {
      this.room.sent.add(id);
      this.socket.send(JSON.stringify({ event: "event.line", ...line }));
    }
  }

  private connect(since: number | undefined) {
    this.socket.send(JSON.stringify({ event: "event.connect", since }));
  }

  /** What was done comes back as an event, and what was refused does so here. Without an answer the page asks again. */
  private async attempt(id: string, call: Promise<unknown>) {
    try {
      await call;
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.status === 0 || failure.status >= 500) return;
      const { refusal, status } = failure;
      if (status === 401) return this.room.signedOut();
      const isBusy = status === 429;
      this.refused({ event: "event.error", id, ...refusal, ...(isBusy && { code: "sending_too_fast" }) });
    }
  }

  private refused(frame: RefusedFrame) {
    if (frame.code && PASSING.includes(frame.code)) return;
    // It may be said now.
    if (frame.id !== undefined) this.room.sent.delete(frame.id);
    this.waits ||= frame.code === "wait_for_answer";
    if (frame.code === "no_such_conversation") this.deliver({ ...frame, event: "event.closed" });
    else this.deliver(frame);
  }

  private receive(frame: Frame) {
    if (frame.event === "event.line") {
      this.deliver(chatFrameOf(frame));
      if (frame.from === otherSide(this.side)) this.answered(frame);
    } else if (frame.event === "event.unsend") {
      this.deliver({ event: frame.event, message_seq: frame.line, seq: frame.seq });
    } else if (frame.event === "event.react") {
      const { event, line, reactions, seq } = frame;
      this.deliver({ event, message: line, reactions: reactions.map(reactionOf), seq });
    } else if (frame.event === "event.typing")
      this.deliver({ event: frame.event, sender: EMOJI_OF[frame.from] });
    else if (frame.event === "event.error") this.refused(frame);
    else if (frame.event === "event.closed" && frame.code === "signed_out") this.room.signedOut();
    // A room says so if its creator has deleted it.
    else if (frame.event === "event.closed" && this.room.isEnding())
      this.deliver({ ...frame, code: "group_deleted" });
    else this.deliver(frame);
  }

  /** Somebody who answers has seen what was said before. Lines that had to wait for that are sent now. */
  private answered({ from, seq }: LineFrame) {
    this.deliver({ event: "event.seen", from, upto: seq, seq });
    if (!this.waits) return;
    this.waits = false;
    this.connect(this.room.since());
  }

  private deliver(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}
