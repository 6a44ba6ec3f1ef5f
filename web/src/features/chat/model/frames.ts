import type { Schemas } from "@/shared/api/api";
import type { Side } from "./pair";

type Named<Frame, Event extends string> = Omit<Frame, "event"> & { event: Event };

export type ChatFrame = Named<Schemas["ChatFrame"], "event.chat" | "event.image"> & {
  /** Width and height of the picture. */
  image_size?: number[] | null;
  /** Of a sealed group's message, when it was opened: it doesn't open. */
  unopened?: true | undefined;
  /** The same: what is not certain about it, in a sentence. */
  doubt?: string | undefined;
};
export type NotifyFrame = Named<Schemas["NotifyFrame"], "event.notify">;
type UnsendFrame = Named<Schemas["UnsendFrame"], "event.unsend">;

export type ReactFrame = Named<Schemas["ReactFrame"], "event.react">;

/** Of a sealed group: a line at this place that people don't see. */
type PassedFrame = { event: "event.passed"; seq: number };

/** In a conversation: what the other one has seen, and whether more can be said. */
export type SeenFrame = { event: "event.seen"; from: Side; upto: number; seq: number };
export type OpenFrame = { event: "event.open"; open: boolean; seq: number };

/** Frames that have a place in the room's log. */
export type LogFrame =
  | ChatFrame
  | NotifyFrame
  | UnsendFrame
  | ReactFrame
  | PassedFrame
  | SeenFrame
  | OpenFrame;

/** Frames of the server. A newer server may send others, which this app ignores. */
export type Frame =
  | LogFrame
  | Named<Schemas["ActiveUsersFrame"], "event.active-users">
  | Named<Schemas["TypingFrame"], "event.typing">
  | Named<Schemas["RoomReadyFrame"], "event.ready">
  | Named<Schemas["RefusedFrame"], "event.error">
  | Named<Schemas["ClosedFrame"], "event.closed">;

export function isLogged(frame: Frame): frame is LogFrame {
  return "seq" in frame;
}
