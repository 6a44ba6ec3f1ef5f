import { waitFor } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";
import { upload } from "./upload";

class FakeRequest {
  static last: FakeRequest | undefined;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  opened: string[] = [];
  body = "";
  constructor() {
    FakeRequest.last = this;
  }
  open(...opened: string[]) {
    this.opened = opened;
  }
  setRequestHeader() {}
  send(body: string) {
    this.body = body;
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

let abort: AbortController;
const progress = vi.fn();

beforeEach(() => {
  abort = new AbortController();
  progress.mockReset();
  FakeRequest.last = undefined;
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});

async function started() {
  const done = upload("room-1", new Blob(["abc"], { type: "image/jpeg" }), progress, abort.signal);
  // The file is read first.
  await waitFor(() => expect(FakeRequest.last?.body).toMatch(/./));
  return { done, request: FakeRequest.last as unknown as FakeRequest };
}

test("sends the picture in base64 and gives its reference", async () => {
  const { done, request } = await started();
  expect(request.opened).toEqual(["POST", "/api/room/upload-image"]);
  expect(JSON.parse(request.body)).toEqual({
    room_id: "room-1",
    image_b64: `data:image/jpeg;base64,${btoa("abc")}`,
  });
  request.upload.onprogress?.({ loaded: 1, total: 3 });
  expect(progress).toHaveBeenCalledWith(1, 3);
  request.answer(201, '{"status":201,"message":"/api/room/room-1/image/x"}');
  expect(await done).toBe("/api/room/room-1/image/x");
});

test("a refusal carries the server's sentence, whatever else answers none", async () => {
  const refused = await started();
  refused.request.answer(409, JSON.stringify({ message: "This group can't hold any more photos" }));
  await expect(refused.done).rejects.toMatchObject({
    status: 409,
    message: "This group can't hold any more photos",
  });
  FakeRequest.last = undefined;
  const proxy = await started();
  proxy.request.answer(502, "<html>");
  await expect(proxy.done).rejects.toMatchObject({ status: 502, message: "" });
});

test("no network, and a call that is called off, are no answer", async () => {
  const lost = await started();
  lost.request.onerror?.();
  await expect(lost.done).rejects.toMatchObject({ status: 0 });
  FakeRequest.last = undefined;
  const stopped = await started();
  abort.abort();
  await expect(stopped.done).rejects.toMatchObject({ status: 0 });
});

test("an upload of which nothing goes out for a minute has failed", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const { done, request } = await started();
  request.upload.onprogress?.({ loaded: 1, total: 3 });
  const stalled = timers.mock.calls.findLast(([, ms]) => ms === 60_000)?.[0] as () => void;
  stalled();
  await expect(done).rejects.toMatchObject({ status: 0 });
});
