import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { asSent, drawn, fitted, fromPixels, type Size } from "@/shared/redraw";

/** A picture as it is sent: the full form, the tiny one, and how large the full one is. */
export type Shrunk = Size & { full: Blob; tiny: Blob };

/** Both forms of a picture. Throws when the browser can't read the file. */
export function shrink(file: Blob): Promise<Shrunk> {
  return fromPixels(file, async (bitmap) => {
    const full = await asSent(file, bitmap);
    const tiny = await drawn(bitmap, PICTURE_THUMB_SIDE);
    return { ...fitted(bitmap, PICTURE_SIDE), full, tiny };
  });
}
