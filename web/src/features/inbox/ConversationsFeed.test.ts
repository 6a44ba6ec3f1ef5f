import { waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notices } from "@/shared/notices";
import { type Conversation, ConversationsFeed, newLines, useConversations } from "./ConversationsFeed";

const item = (id: string, minute: number, unread: number, from?: "owner" | "sender"): Conversation => {
  const time = `2026-11-27 13:${String(minute).padStart(2, "0")}:00`;
  const note = { id: `note-${id}`, message: `words of ${id}`, date: "2026-11-27 12:00:00" };
  const last = from ? { seq: 1, id: "x", from, message: "hi", time, seen: false } : null;
  return { id, note, last, unread, open: true, expires: time };
};
const frame = (id: string, data?: Conversation) => ({
  event: "event.conversation",
  id,
  ...(data && { data }),
});

const feed = new ConversationsFeed();
/** What the server's list has; `asked` runs while it is asked. */
let list: Conversation[];
let asked = vi.fn();

beforeEach(() => {
  list = [item("a", 20, 1, "sender"), item("b", 10, 0)];
  asked = vi.fn();
  vi.stubGlobal("fetch", async () => {
    const answer = Response.json({ status: 200, data: list });
    asked();
    return answer;
  });
  feed.start();
});

afterEach(() => feed.stop());

const shown = () => useConversations.getState().conversations.map(({ id }) => id);
const loaded = () => waitFor(() => expect(shown().length).toBeGreaterThan(0));

test("a frame moves a conversation to the top, and says what is new in it", async () => {
  await loaded();
  expect([shown(), newLines(useConversations.getState())]).toEqual([["a", "b"], 1]);
  feed.receive(frame("b", item("b", 30, 2, "sender")));
  expect([shown(), newLines(useConversations.getState())]).toEqual([["b", "a"], 3]);
  expect(notices.getState()?.title).toBe("You have a new message in a conversation");
  feed.receive(frame("a", item("a", 20, 0, "sender")));
  expect(newLines(useConversations.getState())).toBe(2);
});

test("a new one appears, and one that has ended goes", async () => {
  await loaded();
  feed.receive(frame("c", item("c", 1, 0)));
  expect(shown()).toContain("c");
  feed.receive(frame("a"));
  expect(shown()).not.toContain("a");
});

test("a list that was asked for before a frame came is asked for again", async () => {
  await loaded();
  asked.mockImplementationOnce(() => {
    list = [item("b", 10, 0)];
    feed.receive(frame("a"));
  });
  feed.ready();
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
  await waitFor(() => expect(shown()).toEqual(["b"]));
});

test("frames of the notes and of the groups change nothing", async () => {
  await loaded();
  feed.receive({ event: "event.inbox", id: "a" });
  expect(shown()).toEqual(["a", "b"]);
});
