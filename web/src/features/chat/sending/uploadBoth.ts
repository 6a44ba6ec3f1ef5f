import type { Size } from "@/shared/shrink";

/** A picture as it is sent: the full form, the tiny form, and the size of the full one. */
export type Shrunk = Size & { full: Blob; tiny: Blob };

/** The server's references of the two forms of a picture. */
export type Uploaded = { full: string; tiny: string };

export type Progress = (sent: number, total: number) => void;

export type Upload = (picture: Blob, onProgress: Progress, signal: AbortSignal) => Promise<string>;

/**
 * Uploads the forms of a picture that the server does not have yet, and adds each to `uploaded`, even if the other one
 * fails. Resolves to the failure, or to undefined.
 */
export async function uploadBoth(
  uploadOne: Upload,
  shrunk: Shrunk,
  uploaded: Partial<Uploaded>,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<unknown> {
  const forms = ["full", "tiny"] as const;
  const gone = { full: uploaded.full ? 1 : 0, tiny: uploaded.tiny ? 1 : 0 };
  const all = shrunk.full.size + shrunk.tiny.size;
  const one = async (form: keyof Uploaded) => {
    const onProgress = (sent: number, total: number) => {
      gone[form] = sent / total;
      const bytes = gone.full * shrunk.full.size + gone.tiny * shrunk.tiny.size;
      // The last percent stands for the server's answer.
      onPercent(Math.min(99, Math.floor((100 * bytes) / all)));
    };
    uploaded[form] ??= await uploadOne(shrunk[form], onProgress, signal);
  };
  const results = await Promise.allSettled(forms.map(one));
  return results.find((result) => result.status === "rejected")?.reason;
}
