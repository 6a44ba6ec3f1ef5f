import { expect, test, vi } from "vitest";
import { ROOM } from "../testing/fakeRoom";
import { ask } from "./ask";

function withLocks(request: (work: () => Promise<Response>) => Promise<Response>) {
  const asked = vi.fn<typeof fetch>(async () => Response.json({ status: 200 }));
  vi.stubGlobal("fetch", asked);
  const locks = {
    request: (_name: string, _options: LockOptions, work: () => Promise<Response>) => request(work),
  };
  vi.stubGlobal("navigator", Object.create(navigator, { locks: { value: locks } }));
  return asked;
}

test("a tab that doesn't get the lock, or has no locks, asks all the same", async () => {
  const asked = withLocks(() => Promise.reject(new DOMException("late", "TimeoutError")));
  expect((await ask(ROOM)).response.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(1);
  vi.stubGlobal("navigator", Object.create(navigator, { locks: { value: undefined } }));
  expect((await ask(ROOM)).response.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("a call that fails while the tab has the lock is not made twice", async () => {
  const asked = withLocks((work) => work());
  asked.mockRejectedValue(new TypeError("offline"));
  await expect(ask(ROOM)).rejects.toThrow("offline");
  expect(asked).toHaveBeenCalledTimes(1);
});
