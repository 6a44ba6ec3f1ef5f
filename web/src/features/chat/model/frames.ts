import type { Wire } from "@/shared/api/api";

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
