import type { Schemas } from "@/shared/api/api";
import { ApiFailure, refusalIn } from "@/shared/api/client";
import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { asSent, fitted, fromPixels, type Size, shrunk } from "@/shared/shrink";
import { seatHeaders } from "../connection/ask";

/** A picture as it is sent: the full form, the tiny form, and the size of the full one. */
export type Shrunk = Size & { full: Blob; tiny: Blob };

/** Makes both forms of a picture. Throws if the browser can't read the file. */
export function shrink(file: Blob): Promise<Shrunk> {
  return fromPixels(file, async (bitmap) => {
    const full = await asSent(file, bitmap);
    const tiny = await shrunk(bitmap, PICTURE_THUMB_SIDE);
    return { ...fitted(bitmap, PICTURE_SIDE), full, tiny };
  });
}

/** The server's references of the two forms of a picture. */
export type Uploaded = { full: string; tiny: string };

type Progress = (sent: number, total: number) => void;

export type Upload = (picture: Blob, onProgress: Progress, signal: AbortSignal) => Promise<string>;

/** An upload without progress for this long is given up, because later messages wait for it. */
const STALLED_MS = 60_000;

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

/** Uploads one form of a picture and resolves to its reference. `fetch` can't tell the progress of an upload. */
export async function upload(room: string, picture: Blob, onProgress: Progress, signal: AbortSignal) {
  const body = JSON.stringify({
    room_id: room,
    image_b64: await dataUrl(picture),
  } satisfies Schemas["Upload"]);
  return new Promise<string>((resolve, reject) => {
    const request = new XMLHttpRequest();
    // An XMLHttpRequest to its own origin sends the seat's cookie.
    // A balancer reads the group's id there, and sends all calls of a group to one server.
    request.open("POST", `/api/room/upload-image?room=${room}`);
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
      const refusal = refusalIn(parsed(request.responseText));
      if (request.status === 201) resolve(refusal.message);
      else reject(new ApiFailure(request.status, refusal));
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
