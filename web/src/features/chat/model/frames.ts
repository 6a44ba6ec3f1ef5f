import type { Schemas } from "@/shared/api/api";

type Named<Frame, Event extends string> = Omit<Frame, "event"> & { event: Event };

export type ChatFrame = Named<Schemas["ChatFrame"], "event.chat" | "event.image"> & {
  /** Width and height of the picture. */
  image_size?: number[] | null;
};
export type NotifyFrame = Named<Schemas["NotifyFrame"], "event.notify">;
type UnsendFrame = Named<Schemas["UnsendFrame"], "event.unsend">;

/** What has a place in the room's log. */
export type LogFrame = ChatFrame | NotifyFrame | UnsendFrame;

export type Frame =
  | LogFrame
  | Named<Schemas["ActiveUsersFrame"], "event.active-users">
  | Named<Schemas["TypingFrame"], "event.typing">
  | Named<Schemas["RoomReadyFrame"], "event.ready">
  | Named<Schemas["RefusedFrame"], "event.error">
  | Named<Schemas["ClosedFrame"], "event.closed">;

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
