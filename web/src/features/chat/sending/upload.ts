import type { Schemas } from "@/shared/api/api";
import { ApiFailure, parsed, refusalIn } from "@/shared/api/client";
import { seatHeaders } from "../connection/ask";

/** Told how much of how many bytes has gone out. */
export type Progress = (sent: number, total: number) => void;

export type Upload = (picture: Blob, onProgress: Progress, signal: AbortSignal) => Promise<string>;

/** Nothing goes out for so long, and the connection is taken for dead: what was written after it waits meanwhile. */
const STALLED_MS = 60_000;

/** Uploads one form of a picture and gives its reference. `fetch` can't tell how far an upload is. */
export async function upload(
  room: string,
  picture: Blob,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({
    room_id: room,
    image_b64: await dataUrl(picture),
  } satisfies Schemas["Upload"]);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    // To this site, with the seat's cookie: an XMLHttpRequest sends it to its own origin.
    request.open("POST", "/api/room/upload-image");
    request.setRequestHeader("Content-Type", "application/json");
    request.setRequestHeader("Accept", "application/json");
    for (const [name, value] of Object.entries(seatHeaders())) request.setRequestHeader(name, value);
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
