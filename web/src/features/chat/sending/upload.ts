import type { Schemas } from "@/shared/api/api";
import { ApiFailure, refusalIn } from "@/shared/api/client";
import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { asSent, drawn, fitted, fromPixels, type Size } from "@/shared/redraw";
import { seatHeaders } from "../connection/ask";

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

type Progress = (sent: number, total: number) => void;

export type Upload = (picture: Blob, onProgress: Progress, signal: AbortSignal) => Promise<string>;

/** Nothing goes out for so long, and the connection is taken for dead: what was written after it waits meanwhile. */
const STALLED_MS = 60_000;

/**
 * Uploads what of a picture isn't with the server yet, and notes it in `uploaded`, where it stays whatever becomes of the
 * rest. Gives why it didn't work, if it didn't.
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

/** Uploads one form of a picture and gives its reference. `fetch` can't tell how far an upload is. */
export async function upload(room: string, picture: Blob, onProgress: Progress, signal: AbortSignal) {
  const body = JSON.stringify({
    room_id: room,
    image_b64: await dataUrl(picture),
  } satisfies Schemas["Upload"]);
  return new Promise<string>((resolve, reject) => {
    const request = new XMLHttpRequest();
    // To this site, with the seat's cookie: an XMLHttpRequest sends it to its own origin.
    request.open("POST", "/api/room/upload-image");
    const headers = { "Content-Type": "application/json", Accept: "application/json", ...seatHeaders() };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let stalled: ReturnType<typeof setTimeout>;
    function watch() {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALLED_MS);
    }
    request.upload.onprogress = ({ loaded, total }) => {
      watch();
      onProgress(loaded, total);
    };
    request.onloadend = () => clearTimeout(stalled);
    request.onload = () => {
      const said = refusalIn(parsed(request.responseText));
      if (request.status === 201) resolve(said.message);
      else reject(new ApiFailure(request.status, said));
    };
    request.onerror = () => reject(new ApiFailure(0));
    request.onabort = () => reject(new ApiFailure(0));
    signal.addEventListener("abort", () => request.abort());
    if (signal.aborted) reject(new ApiFailure(0));
    else {
      watch();
      request.send(body);
    }
  });
}

function dataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}
