import type { Shrunk } from "./shrink";
import type { Progress, Upload } from "./upload";

type Form = "full" | "tiny";

/** What of a picture is with the server, and where. */
export type Uploaded = Partial<Record<Form, string>>;

/**
 * Uploads what of a picture isn't with the server yet, and notes it in `sent`, where it stays whatever becomes of the
 * rest. Gives why it didn't work, if it didn't.
 */
export async function uploadBoth(
  { full, tiny }: Shrunk,
  sent: Uploaded,
  upload: Upload,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<unknown> {
  const bytes = { full: full.size, tiny: tiny.size };
  const gone = { full: sent.full ? bytes.full : 0, tiny: sent.tiny ? bytes.tiny : 0 };
  let shown = 0;
  const show = () => {
    // The last percent is the server's answer.
    const percent = Math.min(99, Math.floor((100 * (gone.full + gone.tiny)) / (bytes.full + bytes.tiny)));
    if (percent !== shown) onPercent(percent);
    shown = percent;
  };
  const one = async (form: Form, picture: Blob) => {
    if (sent[form] !== undefined) return;
    const onProgress: Progress = (done, total) => {
      if (total > 0) gone[form] = (bytes[form] * done) / total;
      show();
    };
    sent[form] = await upload(picture, onProgress, signal);
  };
  const results = await Promise.allSettled([one("full", full), one("tiny", tiny)]);
  return results.find((result) => result.status === "rejected")?.reason;
}
