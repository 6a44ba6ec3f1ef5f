import type { Schemas } from "@/shared/api/api";
import { ApiFailure, refusalIn } from "@/shared/api/client";
import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { asSent, fitted, fromPixels, shrunk } from "@/shared/shrink";
import { seatHeaders } from "../connection/ask";
import type { Progress, Shrunk } from "./uploadBoth";

/** Makes both forms of a picture. Throws if the browser can't read the file. */
export function shrink(file: Blob): Promise<Shrunk> {
  return fromPixels(file, async (bitmap) => {
    const full = await asSent(file, bitmap);
    const tiny = await shrunk(bitmap, PICTURE_THUMB_SIDE);
    return { ...fitted(bitmap, PICTURE_SIDE), full, tiny };
  });
}

/** An upload without progress for this long is given up, because later messages wait for it. */
const STALLED_MS = 60_000;

/**
 * Uploads one form of a picture and resolves to its reference. `fetch` can't tell the progress of an upload. A picture
 * that is sealed has an `id`.
 */
export async function upload(
  room: string,
  picture: Blob,
  onProgress: Progress,
  signal: AbortSignal,
  id?: string,
) {
  const url = await dataUrl(picture);
  const body = JSON.stringify({
    room_id: room,
    ...(id === undefined ? { image_b64: url } : { image_b64: base64url(url), image_id: id }),
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

function base64url(dataUrl: string): string {
  const base64 = dataUrl.slice(dataUrl.indexOf(",") + 1);
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function dataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}
