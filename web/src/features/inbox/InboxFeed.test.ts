import { waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { FakeSocket, sockets } from "@/shared/testing/FakeSocket";
import { InboxFeed } from "./InboxFeed";
import { useInbox } from "./inboxStore";

const note = (id: string, seen = false) => ({ id, message: `note ${id}`, seen, date: "2026-01-01 10:00:00" });
const onRefused = vi.fn();
let answers: Record<string, () => Response>;
let feed: InboxFeed;

beforeEach(() => {
  sockets.length = 0;
  titles.length = 0;
  answers = { "/api/messages": () => Response.json({ status: 200, message: 1, data: [note("a")] }) };
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (url: string) => {
    const answer = answers[url.split("?")[0] ?? ""];
    if (!answer) throw new TypeError("offline");
    return answer();
  });
  feed = new InboxFeed("token", onRefused);
  feed.start();
});

afterEach(() => feed.stop());

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
  expect(titles).toEqual(["You have new anonymous messages"]);
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

test("reading tells the server once; deleting takes the note away", async () => {
  await loaded();
  let marked = 0;
  answers["/api/mark_as_seen/a"] = () => {
    marked += 1;
    return Response.json({ status: 200, message: 0 });
  };
  await feed.markSeen("a");
  await feed.markSeen("a");
  expect(marked).toBe(1);
  expect(shown().unread).toBe(0);
  answers["/api/message/a"] = () => Response.json({ status: 200, message: 0 });
  await feed.remove("a");
  expect(ids()).toEqual([]);
});

test("a stopped feed has forgotten everything, whatever arrives late", async () => {
  await loaded();
  const late = feed.refetch();
  feed.stop();
  await late;
  expect(ids()).toEqual([]);
});
