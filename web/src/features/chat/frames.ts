import type { Wire } from "@/shared/api/api";
import { withoutOverrides } from "@/shared/text/directions";
import type { Face, Line, Message, Notice, Picture, Quote } from "./chat";

type Named<Frame, Event extends string> = Omit<Frame, "event"> & { event: Event };

export type ChatFrame = Named<Wire["ChatFrame"], "event.chat" | "event.image"> & {
  /** Width and height of the picture. */
  image_size?: number[] | null;
};
export type NotifyFrame = Named<Wire["NotifyFrame"], "event.notify">;
type UnsendFrame = Named<Wire["UnsendFrame"], "event.unsend">;

/** What has a place in the room's log. */
export type LogFrame = ChatFrame | NotifyFrame | UnsendFrame;

export type Frame =
  | LogFrame
  | Named<Wire["ActiveUsersFrame"], "event.active-users">
  | Named<Wire["TypingFrame"], "event.typing">
  | Named<Wire["RoomReadyFrame"], "event.ready">
  | Named<Wire["RefusedFrame"], "event.error">
  | Named<Wire["ClosedFrame"], "event.closed">;

const EVENTS: readonly Frame["event"][] = [
  "event.chat",
  "event.image",
  "event.notify",
  "event.unsend",
  "event.active-users",
  "event.typing",
  "event.ready",
  "event.error",
  "event.closed",
];

/** A frame this page knows. A newer server may send others; they are nothing to us. */
export function asFrame(frame: unknown): Frame | undefined {
  if (typeof frame !== "object" || frame === null || !("event" in frame)) return undefined;
  return EVENTS.some((event) => event === frame.event) ? (frame as Frame) : undefined;
}

export function isLogged(frame: Frame): frame is LogFrame {
  return "seq" in frame;
}

/** A line of a history, as it is shown. */
export function lineOf(frame: Wire["LineFrame"], me: Face): Line {
  return "sender" in frame ? messageOf(frame as ChatFrame, me) : noticeOf(frame as NotifyFrame);
}

export function noticeOf({ seq, message, time }: NotifyFrame): Notice {
  return { kind: "notice", key: String(seq), seq, message, time };
}

/** One's own are known by their id from before they had a place; others' by their place. */
export function messageOf(frame: ChatFrame, me: Face): Message {
  const { id, seq, sender, time, unsent = false } = frame;
  const mine = sender === me;
  return {
    kind: "message",
    key: mine ? id : String(seq),
    id,
    seq,
    sender,
    mine,
    words: withoutOverrides(frame.message || frame.caption),
    picture: pictureOf(frame),
    reply: quoteOf(frame.reply),
    time,
    unsent,
    delivery: { state: "sent" },
  };
}

function pictureOf({ image_src, image_low, image_size }: ChatFrame): Picture | null {
  if (!image_src) return null;
  // Unknown sizes are 0.
  const [width = 0, height = 0] = image_size ?? [];
  return { full: image_src, tiny: image_low ?? null, width, height };
}

function quoteOf(reply: Wire["Quote"] | null | undefined): Quote | null {
  if (!reply) return null;
  const [sender, words, seq, picture] = reply;
  const said = withoutOverrides(String(words));
  return { sender: String(sender), words: said, seq: Number(seq), picture: String(picture ?? "") };
}
