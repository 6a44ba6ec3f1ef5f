import { afterEach, expect, test, vi } from "vitest";
import { ask } from "./ask";

const ROOM = "7c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0001";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  history.replaceState(null, "");
});

function withLocks(request: (work: () => Promise<Response>) => Promise<Response>) {
  const asked = vi.fn<typeof fetch>(async () => Response.json({ status: 200 }));
  vi.stubGlobal("fetch", asked);
  const locks = {
    request: (_name: string, _options: LockOptions, work: () => Promise<Response>) => request(work),
  };
  vi.stubGlobal("navigator", Object.create(navigator, { locks: { value: locks } }));
  return asked;
}

test("a tab asks when it is its turn", async () => {
  let turn = () => {};
  const waits = new Promise<void>((resolve) => {
    turn = resolve;
  });
  const asked = withLocks((work) => waits.then(work));
  const answer = ask(ROOM);
  await Promise.resolve();
  expect(asked).not.toHaveBeenCalled();
  turn();
  expect((await answer).response.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a tab that is not let in, or can't ask to be, asks all the same", async () => {
  const asked = withLocks(() => Promise.reject(new DOMException("late", "TimeoutError")));
  expect((await ask(ROOM)).response.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(1);
  vi.stubGlobal("navigator", Object.create(navigator, { locks: { value: undefined } }));
  expect((await ask(ROOM)).response.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("what fails in a tab's turn is not asked twice", async () => {
  const asked = withLocks((work) => work());
  asked.mockRejectedValue(new TypeError("offline"));
  await expect(ask(ROOM)).rejects.toThrow("offline");
  expect(asked).toHaveBeenCalledTimes(1);
});

/** A page that was just loaded, and a server that gives seats to carry to who asks for one. */
async function loaded() {
  const seats: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) => {
    const seat = new Headers(init?.headers).get("Annon-Seat");
    seats.push(seat);
    return Response.json({}, { headers: seat === null ? {} : { "Annon-Seat": "sealed" } });
  });
  vi.resetModules();
  return { seats, page: await import("./ask") };
}

const dropsCookies = () => vi.spyOn(document, "cookie", "set").mockImplementation(() => {});
const refused = () => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};

test("a browser that keeps cookies is left to it, and keeps nothing of the trial", async () => {
  const before = document.cookie;
  const { seats, page } = await loaded();
  await page.ask(ROOM);
  expect(seats).toEqual([null]);
  expect([page.seatHeaders(), page.seatProtocols()]).toEqual([{}, []]);
  expect(document.cookie).toBe(before);
});

test.each<[string, () => unknown]>([
  ["drops them", dropsCookies],
  ["throws when one is set", () => vi.spyOn(document, "cookie", "set").mockImplementation(refused)],
  ["throws when one is read", () => vi.spyOn(document, "cookie", "get").mockImplementation(refused)],
])("where the browser %s, the page carries its seat, also through a reload", async (_, blocks) => {
  blocks();
  const first = await loaded();
  await first.page.ask(ROOM);
  await first.page.ask(ROOM);
  expect(first.seats).toEqual(["new", "sealed"]);
  expect(first.page.seatHeaders()).toEqual({ "annon-seat": "sealed" });
  expect(first.page.seatProtocols()).toEqual(["annon-seat", "sealed"]);
  const again = await loaded();
  await again.page.ask(ROOM);
  expect(again.seats).toEqual(["sealed"]);
});

test("where nothing can be stored either, the tab's history holds the seat", async () => {
  dropsCookies();
  vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(refused);
  history.replaceState({ idx: 3 }, "");
  await (await loaded()).page.ask(ROOM);
  expect(history.state).toEqual({ idx: 3, "annon-seat": "sealed" });
  const again = await loaded();
  await again.page.ask(ROOM);
  expect(again.seats).toEqual(["sealed"]);
});

test("a cookie that was given and didn't come back makes the page carry the seat, once", async () => {
  const { seats, page } = await loaded();
  await page.ask(ROOM);
  expect([page.carrySeat(), page.carrySeat()]).toEqual([true, false]);
  await page.ask(ROOM);
  expect(seats).toEqual([null, "new"]);
});
