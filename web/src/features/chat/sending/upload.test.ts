import { waitFor } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";
import { shrink, upload } from "./upload";

class FakeRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  open = vi.fn();
  setRequestHeader = vi.fn();
  send = vi.fn();
  constructor() {
    last = this;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, words: string) {
    this.status = status;
    this.responseText = words;
    this.onload?.();
  }
}

let last: FakeRequest | undefined;
const drawn: { width: number; height: number; type: string; quality: number }[] = [];
let close: () => void;
let abort: AbortController;
const progress = vi.fn();

beforeEach(() => {
  drawn.length = 0;
  close = vi.fn();
  const drawing = { fillRect: vi.fn(), drawImage: vi.fn() };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(drawing as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type = "",
    quality = 0,
  ) {
    drawn.push({ width: this.width, height: this.height, type, quality });
    done(new Blob(["drawn"], { type }));
  });
  abort = new AbortController();
  progress.mockReset();
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});

async function started() {
  last = undefined;
  const done = upload("room-1", new Blob(["abc"], { type: "image/jpeg" }), progress, abort.signal);
  // The upload only begins when the file was read.
  await waitFor(() => expect(last?.send).toHaveBeenCalled());
  return { done, request: last as unknown as FakeRequest };
}

test("a refusal has the server's sentence, and other failures have none", async () => {
  const refused = await started();
  refused.request.answer(409, JSON.stringify({ message: "This group can't hold any more photos" }));
  await expect(refused.done).rejects.toMatchObject({
    status: 409,
    message: "This group can't hold any more photos",
  });
  const proxy = await started();
  proxy.request.answer(502, "<html>");
  await expect(proxy.done).rejects.toMatchObject({ status: 502, message: "" });
});

test("without a network, or if the call is cancelled, there is no answer", async () => {
  const lost = await started();
  lost.request.onerror?.();
  await expect(lost.done).rejects.toMatchObject({ status: 0 });
  const stopped = await started();
  abort.abort();
  await expect(stopped.done).rejects.toMatchObject({ status: 0 });
});

test("an upload without progress for a minute has failed", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const { done, request } = await started();
  request.upload.onprogress?.({ loaded: 1, total: 3 });
  expect(progress).toHaveBeenCalledWith(1, 3);
  const stalled = timers.mock.calls.findLast(([, ms]) => ms === 60_000)?.[0] as () => void;
  stalled();
  await expect(done).rejects.toMatchObject({ status: 0 });
});

function bitmap(width: number, height: number) {
  const decode = vi.fn(async () => ({ width, height, close }));
  vi.stubGlobal("createImageBitmap", decode);
  return decode;
}

test("a large picture is drawn twice, turned as the camera says", async () => {
  const decode = bitmap(3000, 4000);
  const file = new Blob(["x".repeat(10)], { type: "image/jpeg" });
  expect(await shrink(file)).toMatchObject({ width: 810, height: 1080 });
  expect(decode).toHaveBeenCalledWith(file, { imageOrientation: "from-image" });
  expect(drawn).toEqual([
    { width: 810, height: 1080, type: "image/jpeg", quality: 0.5 },
    { width: 75, height: 100, type: "image/jpeg", quality: 0.5 },
  ]);
  expect(close).toHaveBeenCalledOnce();
});

test("a small one goes as it is, with a tiny form", async () => {
  bitmap(200, 100);
  const file = new Blob(["x"], { type: "image/png" });
  expect((await shrink(file)).full).toBe(file);
  expect(drawn).toEqual([{ width: 100, height: 50, type: "image/jpeg", quality: 0.5 }]);
});

test("a file that the browser can't read or draw causes an error, and its memory is freed", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new Error("no picture");
  });
  await expect(shrink(new Blob(["x"]))).rejects.toThrow("no picture");
  bitmap(2000, 100);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(null));
  await expect(shrink(new Blob(["x"]))).rejects.toThrow("wasn't drawn");
  expect(close).toHaveBeenCalledOnce();
});
