import { expect, test, vi } from "vitest";
import { chatText } from "@/shared/text/chatText";
import type { ChatState, Line, Message } from "../model/chat";
import { messageOf, noticeOf } from "../model/linesOf";
import { chatFrame, noticeFrame } from "../testing/fakeRoom";
import { announcements } from "./log/announcements";
import { noticeWords } from "./named";

test("known system lines are in the reader's language, and others keep the server's words", () => {
  vi.spyOn(chatText.screen.notices, "removed").mockImplementation((emoji) => `${emoji} ist weg`);
  const words = (about: string) => noticeWords(noticeOf(noticeFrame(1, about)));
  expect(words("🦊 removed")).toBe("🦊 ist weg");
  expect(words("🦊 joined")).toBe("🦊 joined");
  expect(words("locked")).toBe(chatText.screen.notices.locked);
  expect(words("lost")).toBe(chatText.screen.notices.lost);
  expect(words("unlocked")).toBe(chatText.screen.notices.open);
  expect(words("🦊 waved")).toBe("says: 🦊 waved");
});

function message(seq: number | undefined, more: Partial<Message> = {}): Message {
  return { ...messageOf(chatFrame(seq ?? 0, { sender: "🦊" }), "🐶"), seq, ...more };
}

const state = (lines: Line[]) =>
  ({
    lines,
    me: "🐶",
    emojis: new Set(["🦊", "🐶"]),
    lastSeq: Math.max(0, ...lines.map(({ seq }) => seq ?? 0)),
  }) as unknown as ChatState;

const readOut = (before: ChatState, now: ChatState) => announcements(before, now).map(({ words }) => words);

test("new lines of others are read out, and lines from before are not", () => {
  const lines = [message(4), message(5)];
  const before = state(lines);
  expect(readOut(before, state([message(2), message(3), ...lines]))).toEqual([]);
  const mine = message(6, { mine: true });
  expect(readOut(before, state([...lines, mine, message(7)]))).toEqual(["Fox: words 7"]);
  const joined = noticeOf(noticeFrame(6, "🐙 joined"));
  expect(readOut(before, state([...lines, joined]))).toEqual(["Octopus joined"]);
});

test("a mentioned member is read out by name, and a mention of the reader is announced", () => {
  const before = state([message(1)]);
  const others = message(2, { words: "ask @🦊 or @🐙" });
  const mine = message(3, { words: "@🐶 come here" });
  expect(readOut(before, state([message(1), others, mine]))).toEqual([
    "Fox: ask @Fox or @🐙",
    "Fox mentioned you: @Dog come here",
  ]);
});

test("pictures that came together are counted, with their caption", () => {
  const picture = { full: "p", tiny: null, width: 0, height: 0 };
  const photos = [2, 3, 4, 5].map((seq) => message(seq, { picture, words: seq === 2 ? "our cat" : "" }));
  expect(readOut(state([message(1)]), state([message(1), ...photos]))).toEqual(["Fox: 4 photos, our cat"]);
  expect(readOut(state([message(1)]), state([message(1), message(2, { picture, words: "" })]))).toEqual([
    "Fox: a photo",
  ]);
});

test("many lines at once are only counted, and an own message that failed is announced", () => {
  const before = state([message(1)]);
  const many = [message(1), message(2), message(3), message(4), message(5)];
  const failed = message(undefined, { mine: true, delivery: { state: "failed", why: "" } });
  expect(readOut(before, state([...many, failed]))).toEqual(["4 new messages", "Not sent"]);
});
