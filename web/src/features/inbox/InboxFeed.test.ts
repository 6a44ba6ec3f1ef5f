import { waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { FakeSocket, sockets } from "@/shared/testing/FakeSocket";
import { InboxFeed } from "./InboxFeed";
import { unreadOf, useInbox } from "./inboxStore";

const note = (id: string, seen = false) => ({ id, message: `note ${id}`, seen, date: "2026-01-01 10:00:00" });
const onRefused = vi.fn();
let isShown = false;
let answers: Record<string, () => Response>;
let calls: string[];
let feed: InboxFeed;

beforeEach(() => {
  sockets.length = 0;
  titles.length = 0;
  localStorage.clear();
  isShown = false;
  calls = [];
  answers = { "/api/messages": () => Response.json({ status: 200, message: 1, data: [note("a")] }) };
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (url: string, { method = "GET", keepalive = false }: RequestInit = {}) => {
    calls.push(`${method} ${url}${keepalive ? " kept alive" : ""}`);
    const answer = answers[url.split("?")[0] ?? ""];
    if (!answer) throw new TypeError("offline");
    return answer();
  });
  feed = newFeed();
  feed.start();
});

afterEach(() => feed.stop());

const newFeed = () =>
  new InboxFeed({ token: "token", username: "wildfox", onRefused, isShown: () => isShown });
const shown = () => useInbox.getState();
const titles: string[] = [];
notices.subscribe((notice) => notice && titles.push(notice.title));
const ids = () => shown().notes.map(({ id }) => id);
const loaded = () => waitFor(() => expect(shown().status).toBe("ready"));

test("a note that is pushed while an older list is on its way stays", async () => {
  await loaded();
  const before = () => Response.json({ status: 200, message: 1, data: [note("a")] });
  const after = () => Response.json({ status: 200, message: 2, data: [note("b"), note("a")] });
  answers["/api/messages"] = () => {
    sockets[0]?.deliver({ event: "event.inbox", unread: 2, note: note("b") });
    answers["/api/messages"] = after;
    return before();
  };
  await feed.refetch();
  expect(ids()).toEqual(["b", "a"]);
  expect(shown().unread).toBe(2);
});

test("a list that changed is fetched though the count is the same, as when all was deleted elsewhere", async () => {
  answers["/api/messages"] = () => Response.json({ status: 200, message: 0, data: [note("a", true)] });
  await feed.refetch();
  answers["/api/messages"] = () => Response.json({ status: 200, message: 0, data: [] });
  sockets[0]?.deliver({ event: "event.inbox", unread: 0, reload: true });
  await waitFor(() => expect(ids()).toEqual([]));
  expect(titles).toEqual([]);
});

test("a delivered batch is fetched as a whole, and announced once", async () => {
  await loaded();
  const batch = [note("d"), note("c"), note("b"), note("a")];
  answers["/api/messages"] = () => Response.json({ status: 200, message: 4, data: batch });
  answers["/api/inbox"] = () => Response.json({ status: 200, batches: true });
  sockets[0]?.deliver({ event: "event.inbox", unread: 4, reload: true });
  await waitFor(() => expect(ids()).toEqual(["d", "c", "b", "a"]));
  await waitFor(() => expect(shown().inBatches).toBe(true));
  sockets[0]?.deliver({ event: "event.inbox", unread: 4, reload: true });
  expect(titles).toEqual(["You have new anonymous notes"]);
});

test("a page that is visible again checks its socket, and replaces a silent one", async () => {
  await loaded();
  sockets[0]?.deliver({ event: "event.ready" });
  vi.useFakeTimers();
  const look = () => document.dispatchEvent(new Event("visibilitychange"));
  sockets[0]?.accept();
  look();
  expect(sockets[0]?.sent).toEqual(['{"event":"event.connect"}']);
  sockets[0]?.deliver({ event: "event.ready" });
  vi.advanceTimersByTime(3000);
  expect(sockets).toHaveLength(1);
  look();
  vi.advanceTimersByTime(3000);
  expect(sockets).toHaveLength(2);
  expect(shown().live).toBe(false);
  vi.useRealTimers();
  answers["/api/messages"] = () => Response.json({ status: 200, message: 2, data: [note("b"), note("a")] });
  sockets[1]?.deliver({ event: "event.ready" });
  await waitFor(() => expect(ids()).toEqual(["b", "a"]));
});

test("a refusal, by the list or by the socket, ends the visit", async () => {
  await loaded();
  answers["/api/messages"] = () =>
    Response.json({ status: 401, message: "Sign in to continue." }, { status: 401 });
  await feed.refetch();
  expect(onRefused).toHaveBeenCalledOnce();
  sockets[0]?.onclose?.({ code: 4401 });
  expect(onRefused).toHaveBeenCalledTimes(2);
});

describe("a socket that isn't let in, for which the browser gives no reason", () => {
  const REFUSED = { code: 1006 };
  let asked = 0;

  /** From now on, calls of the list get this answer, and `asked` counts them. */
  function list(answer: () => Response) {
    asked = 0;
    answers["/api/messages"] = () => {
      asked += 1;
      return answer();
    };
  }

  /** Closes the last socket, and waits until the feed opens the next one. */
  async function loses({ wasOpen = false } = {}) {
    const tried = sockets.length;
    if (wasOpen) sockets.at(-1)?.onopen?.();
    sockets.at(-1)?.onclose?.(REFUSED);
    await waitFor(() => expect(sockets.length).toBe(tried + 1));
  }

  beforeEach(loaded);

  test("a socket that was open before causes no call", async () => {
    list(() => Response.json({ status: 200, message: 0, data: [] }));
    await loses({ wasOpen: true });
    expect(asked).toBe(0);
  });

  test("a token that has run out ends the visit", async () => {
    list(() => Response.json({ status: 401, message: "Sign in to continue." }, { status: 401 }));
    await loses({ wasOpen: true });
    expect(onRefused).not.toHaveBeenCalled();
    await loses();
    expect(onRefused).toHaveBeenCalledOnce();
    expect(asked).toBe(1);
  });

  test("a list that is still given is shown", async () => {
    list(() => Response.json({ status: 200, message: 2, data: [note("b"), note("a")] }));
    await loses();
    expect(ids()).toEqual(["b", "a"]);
    await loses();
    expect(asked).toBe(2);
  });

  test("a server in trouble leaves everything as it is", async () => {
    list(() => new Response("", { status: 502 }));
    await loses();
    expect(asked).toBe(1);
    expect(onRefused).not.toHaveBeenCalled();
    expect(shown().status).toBe("ready");
    expect(ids()).toEqual(["a"]);
  });

  test("a missing answer is shown until there is one", async () => {
    answers = {};
    await loses();
    expect(shown().status).toBe("offline");
    list(() => Response.json({ status: 200, message: 1, data: [note("a")] }));
    await loses();
    expect(shown().status).toBe("ready");
  });
});

test("reading tells the server once", async () => {
  await loaded();
  answers["/api/mark_as_seen/a"] = () => Response.json({ status: 200, message: 0 });
  await feed.markSeen("a");
  await feed.markSeen("a");
  expect(calls.filter((call) => call.includes("mark_as_seen"))).toHaveLength(1);
  expect(shown().unread).toBe(0);
});

test("a new note gets a notice, or is read out where the inbox is on the screen", async () => {
  await loaded();
  sockets[0]?.deliver({ event: "event.inbox", unread: 2, note: note("b") });
  expect(titles).toEqual(["You have a new anonymous note"]);
  isShown = true;
  sockets[0]?.deliver({ event: "event.inbox", unread: 3, note: note("c") });
  expect(titles).toHaveLength(1);
  expect(shown().news).toBe("You have a new anonymous note. 3 unread");
});

describe("a deleted note", () => {
  const DELETE = "DELETE /api/message/a kept alive";
  const deleted = () => calls.filter((call) => call.startsWith("DELETE"));
  const promised = () => Object.keys(localStorage).filter((key) => key.startsWith("annon.deleting."));
  const refused = (status: number, code: string) => Response.json({ status, message: "", code }, { status });

  beforeEach(async () => {
    answers["/api/message/a"] = () => Response.json({ status: 200, message: 0 });
    await loaded();
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  test("is deleted after ten seconds, and doesn't count as unread before", async () => {
    feed.remove("a");
    expect(unreadOf(shown())).toBe(0);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(deleted()).toEqual([]);
    expect(shown().deletions).toEqual({ a: "undoable" });
    await vi.advanceTimersByTimeAsync(1);
    expect(deleted()).toEqual([DELETE]);
    expect(ids()).toEqual([]);
    expect([shown().deletions, promised()]).toEqual([{}, []]);
  });

  test("is there again if that is undone", async () => {
    feed.remove("a");
    feed.undoRemoval("a");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(deleted()).toEqual([]);
    expect([shown().deletions, unreadOf(shown()), promised()]).toEqual([{}, 1, []]);
  });

  test.each([
    ["its page is closed", () => window.dispatchEvent(new Event("pagehide"))],
    ["its page is left", () => feed.stop()],
    ["its page is hidden", () => hide()],
  ])("is deleted at once when %s", async (_, leave) => {
    feed.remove("a");
    leave();
    expect(deleted()).toEqual([DELETE]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(deleted()).toEqual([DELETE]);
  });

  test("stays away when the call fails, and is deleted when the server answers again, once", async () => {
    answers["/api/message/a"] = () => refused(503, "cannot_store");
    feed.remove("a");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(titles).toEqual([
      "Couldn’t delete the note yet. It’ll be deleted as soon as the server responds.",
    ]);
    await feed.refetch();
    expect(shown().deletions).toEqual({ a: "promised" });
    answers["/api/message/a"] = () => Response.json({ status: 200, message: 0 });
    feed.wake();
    feed.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(deleted()).toEqual([DELETE, DELETE]);
    expect([shown().deletions, promised()]).toEqual([{}, []]);
  });

  test("is deleted at the next sign-in of its own account if the sign-in has ended", async () => {
    answers["/api/message/a"] = () => refused(401, "signed_out");
    feed.remove("a");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onRefused).toHaveBeenCalledOnce();
    feed.stop();
    answers["/api/message/a"] = () => Response.json({ status: 200, message: 0 });
    const other = new InboxFeed({ token: "other", username: "wildfoxes", onRefused, isShown: () => false });
    other.start();
    other.stop();
    expect(deleted()).toEqual([DELETE]);
    feed = newFeed();
    feed.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(deleted()).toEqual([DELETE, DELETE]);
    expect(promised()).toEqual([]);
  });

  test("is hidden in a window that is opened meanwhile, which leaves it to the first to undo", async () => {
    feed.remove("a");
    const other = new InboxFeed({ token: "token", username: "wildfox", onRefused, isShown: () => false });
    other.start();
    expect(shown().deletions).toEqual({ a: "promised" });
    feed.undoRemoval("a");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown().deletions).toEqual({});
    expect(deleted()).toEqual([]);
    other.stop();
  });

  test("that was deleted elsewhere first is no failure", async () => {
    answers["/api/message/a"] = () => refused(404, "no_such_note");
    feed.remove("a");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([titles, ids(), promised()]).toEqual([[], [], []]);
  });

  test("goes with all others, and nothing is left to undo", async () => {
    answers["/api/messages"] = () => Response.json({ status: 200, message: 0, data: [] });
    feed.remove("a");
    await feed.removeAll();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(deleted()).toEqual(["DELETE /api/messages"]);
    expect([shown().deletions, promised()]).toEqual([{}, []]);
  });
});

function hide() {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
}

test("a page that was out of sight for some minutes says so, also by a new socket, and when it is seen again", async () => {
  await loaded();
  vi.useFakeTimers({ now: Date.now() });
  feed.stop();
  feed.start();
  const said = (at: number) => sockets.at(at)?.sent.filter((frame) => frame.includes("visible")) ?? [];
  sockets.at(-1)?.accept();
  hide();
  vi.advanceTimersByTime(170_000);
  expect(said(-1)).toEqual([]);
  vi.advanceTimersByTime(90_000);
  expect(said(-1)).toEqual(['{"event":"event.visible","on":false}']);
  feed.wake();
  sockets.at(-1)?.accept();
  vi.advanceTimersByTime(45_000);
  expect(said(-1)).toEqual(['{"event":"event.visible","on":false}']);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(said(-1).at(-1)).toBe('{"event":"event.visible","on":true}');
  vi.useRealTimers();
});

test("a stopped feed has forgotten everything, whatever arrives late", async () => {
  await loaded();
  const late = feed.refetch();
  feed.stop();
  await late;
  expect(ids()).toEqual([]);
});
