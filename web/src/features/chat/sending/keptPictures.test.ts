import { expect, test, vi } from "vitest";
import { keptPictures } from "./keptPictures";

const picture = {
  id: "a",
  caption: "",
  reply: null,
  at: 1,
  shrunk: { full: new Blob(), tiny: new Blob(), width: 1, height: 1 },
  why: undefined,
};

/** What some browsers' private windows do, and old ones whose storage is broken. */
const refusing = {
  open: vi.fn(() => {
    throw new DOMException("not here", "SecurityError");
  }),
} as unknown as IDBFactory;

/** A database whose requests come to this. */
const answering = (happens: (request: IDBOpenDBRequest) => void) =>
  ({
    open: () => {
      const request = {} as IDBOpenDBRequest;
      queueMicrotask(() => happens(request));
      return request;
    },
  }) as unknown as IDBFactory;

test.each<[string, () => IDBFactory | undefined]>([
  ["without a database", () => undefined],
  [
    "where a look at it throws",
    () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    },
  ],
  ["with one that refuses", () => refusing],
  ["with one that fails", () => answering((request) => request.onerror?.(new Event("error")))],
  ["with one that never answers", () => answering(() => {})],
])("%s nothing is kept, nothing fails, and nothing is taken for given up", async (_, factory) => {
  vi.useFakeTimers();
  const kept = keptPictures("room", 2, factory);
  const answers = Promise.all([kept.keep(picture), kept.all(), kept.has("a"), kept.drop("a"), kept.forget()]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await answers).toEqual([false, [], true, undefined, undefined]);
  vi.useRealTimers();
});
