import type { Size } from "@/shared/redraw";
import { shownPictures } from "../history/shownPictures";
import type { Delivery, Line, Message, Picture, Quote } from "../model/chat";
import type { Shrunk, Uploaded } from "./upload";

/** What the local storage keeps of an item: words, or a picture that the server has already and its caption. */
export type Entry = {
  id: string;
  words: string;
  /** Where a picture's two forms are with the server; null for words, and for a picture that isn't uploaded yet. */
  picture: (Uploaded & Size) | null;
  reply: Quote | null;
  /** When it was written, in milliseconds. Items are sent in this order. */
  at: number;
};

/**
 * How far an item is on its way. A picture is shrunk and uploaded first; from `ready` on it is sent as words are. What
 * failed `forGood` was refused and is tried again only by hand; the rest also when the room is reached anew.
 */
export type Stage =
  | { is: "shrinking" }
  | { is: "waiting" }
  | { is: "uploading"; percent: number }
  | { is: "ready" }
  | { is: "sent" }
  | { is: "failed"; why: string; forGood: boolean };

/** A picture on this device, from which it can be uploaded. */
export type Copy = {
  shrunk: Shrunk;
  uploaded: Partial<Uploaded>;
  abort: AbortController;
  /** Whether the browser's database has it, too. */
  isKept: boolean;
  /** Whether it was uploaded anew by itself. */
  isAnew: boolean;
  /** Where it can be looked at, until the server has it. */
  preview?: string | undefined;
};

/** Something one has said, until it has its place in the log: words, or a picture with its caption. */
export type Item = Entry & {
  stage: Stage;
  /** Whether an earlier page or another tab wrote it. */
  isAdopted: boolean;
  copy?: Copy;
};

export function copyOf(shrunk: Shrunk, isKept: boolean, isAnew = false): Copy {
  return { shrunk, uploaded: {}, abort: new AbortController(), isKept, isAnew };
}

export function previewOf(copy: Copy): Picture {
  const { full, width, height } = copy.shrunk;
  copy.preview ??= URL.createObjectURL(full);
  return { full: copy.preview, tiny: null, width, height };
}

export function dropPreview(copy: Copy) {
  if (copy.preview !== undefined) URL.revokeObjectURL(copy.preview);
  copy.preview = undefined;
}

/** It is shown from where the server has it, and needn't be fetched from there. */
export function handOver(copy: Copy, { full, tiny }: Uploaded) {
  if (copy.preview !== undefined) shownPictures.keep(full, copy.shrunk.full, copy.preview);
  shownPictures.keep(tiny, copy.shrunk.tiny, URL.createObjectURL(copy.shrunk.tiny));
  copy.preview = undefined;
}

export function mayComeAgain({ stage }: Item): boolean {
  return stage.is === "failed" && !stage.forGood;
}

export function needsUpload({ copy, picture }: Item): boolean {
  return copy !== undefined && picture === null;
}

/** What the screen says of an item. A picture whose turn comes soon looks as if it had begun. */
export function deliveryOf(stage: Stage, isConnected: boolean): Delivery {
  const { is } = stage;
  if (is === "uploading") return { state: is, percent: stage.percent };
  if (is === "failed") return { state: is, why: stage.why };
  if (is === "ready" || is === "sent") return { state: "sending" };
  return isConnected ? { state: "uploading", percent: 0 } : { state: "waiting" };
}

export function isSettled(line: Line): line is Message {
  return line.kind === "message" && line.mine && line.seq !== undefined;
}
