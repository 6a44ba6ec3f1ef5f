import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { asSent, drawn, fitted, fromPixels, type Size } from "@/shared/redraw";
import type { Upload } from "./upload";

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

/** Where the two forms of a picture are with the server. */
export type Uploaded = { full: string; tiny: string };

export type UploaderEnvironment = { shrink: (file: Blob) => Promise<Shrunk>; upload: Upload };

/** Makes pictures small, one after the other, and uploads both forms of one. */
export class Uploader {
  private readonly environment: UploaderEnvironment;
  private shrinking: Promise<unknown> = Promise.resolve();

  constructor(environment: UploaderEnvironment) {
    this.environment = environment;
  }

  /** Several at once would take more memory than a phone has. */
  shrink(file: Blob): Promise<Shrunk> {
    const shrunk = this.shrinking.then(() => this.environment.shrink(file));
    this.shrinking = shrunk.catch(() => {});
    return shrunk;
  }

  /**
   * Uploads what of a picture isn't with the server yet, and notes it in `uploaded`, where it stays whatever becomes of
   * the rest. Gives why it didn't work, if it didn't.
   */
  async upload(
    { full, tiny }: Shrunk,
    uploaded: Partial<Uploaded>,
    signal: AbortSignal,
    onPercent: (percent: number) => void,
  ): Promise<unknown> {
    const bytes = { full: full.size, tiny: tiny.size };
    const gone = { full: uploaded.full ? bytes.full : 0, tiny: uploaded.tiny ? bytes.tiny : 0 };
    let shown = 0;
    const one = async (form: keyof Uploaded, picture: Blob) => {
      if (uploaded[form] !== undefined) return;
      const onProgress = (done: number, total: number) => {
        if (total > 0) gone[form] = (bytes[form] * done) / total;
        // The last percent is the server's answer.
        const percent = Math.min(99, Math.floor((100 * (gone.full + gone.tiny)) / (bytes.full + bytes.tiny)));
        if (percent !== shown) onPercent(percent);
        shown = percent;
      };
      uploaded[form] = await this.environment.upload(picture, onProgress, signal);
    };
    const results = await Promise.allSettled([one("full", full), one("tiny", tiny)]);
    return results.find((result) => result.status === "rejected")?.reason;
  }
}
