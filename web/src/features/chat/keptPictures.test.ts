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

test.each([
  ["without a database", undefined],
  ["with one that refuses", refusing],
])("%s nothing is kept, nothing fails, and nothing is taken for given up", async (_, factory) => {
  const kept = keptPictures("room", 2, factory);
  expect(await kept.keep(picture)).toBe(false);
  expect(await kept.all()).toEqual([]);
  expect(await kept.has("a")).toBe(true);
  await kept.drop("a");
  await kept.forget();
});
