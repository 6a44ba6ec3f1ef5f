import type { Size } from "@/shared/shrink";
import { shownPictures } from "../history/shownPictures";
import type { Delivery, Line, Message, Picture, Quote } from "../model/chat";
import type { Shrunk, Uploaded } from "./uploadBoth";

/** What local storage keeps of an item: words, or a picture that is already uploaded, with its caption. */
export type Entry = {
  id: string;
  words: string;
  /** The server's references of both forms of a picture; null without a picture, and before it is uploaded. */
  picture: (Uploaded & Size) | null;
  reply: Quote | null;
  /** When it was written, in milliseconds. Items are sent in this order. */
  at: number;
};

/**
 * How far an item is. A picture is first shrunk and uploaded; when it is `ready` it is sent like words. A picture
 * that was refused waits `untilTap`. Texts that were refused, and uploads that broke off, are also tried again when
 * the room is connected again.
 */
export type Stage =
  | { is: "shrinking" }
  | { is: "waiting" }
  | { is: "uploading"; percent: number }
  | { is: "ready" }
  | { is: "sent" }
  | { is: "failed"; why: string; untilTap: boolean };

/** A picture on this device, from which it can be uploaded. */
export type Copy = {
  shrunk: Shrunk;
  uploaded: Partial<Uploaded>;
  abort: AbortController;
  /** Whether the browser's database has it as well. */
  isKept: boolean;
  /** Whether it was uploaded a second time because the server had lost it. */
  isAnew: boolean;
  /** The address of the preview, until the server has the picture. */
  preview?: string | undefined;
};

/** A message in the queue: words, or a picture with its caption. */
export type Item = Entry & {
  stage: Stage;
  /** Whether it was written on an earlier page or in another tab. */
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

/** From now on the picture is shown under the server's address, without being fetched from there. */
export function handOver(copy: Copy, { full, tiny }: Uploaded) {
  if (copy.preview !== undefined) shownPictures.keep(full, copy.shrunk.full, copy.preview);
  shownPictures.keep(tiny, copy.shrunk.tiny, URL.createObjectURL(copy.shrunk.tiny));
  copy.preview = undefined;
}

export function mayComeAgain({ stage }: Item): boolean {
  return stage.is === "failed" && !stage.untilTap;
}

export function needsUpload({ copy, picture }: Item): boolean {
  return copy !== undefined && picture === null;
}

/** What the screen shows of an item. A picture that waits for another upload looks as if its own had begun. */
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
