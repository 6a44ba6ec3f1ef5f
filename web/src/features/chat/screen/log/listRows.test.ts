import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Line } from "../../model/chat";
import { noticeOf, messageOf as read } from "../../model/linesOf";
import { chatFrame, noticeFrame } from "../../testing/fakeRoom";
import { dayAbove, dayWords } from "./days";
import { begins, rowsOf } from "./listRows";
import { comingsWords } from "./Notices";

const NOON = new Date(2026, 2, 5, 12).getTime();
const DAY = 86_400_000;
const TODAY = Math.floor((NOON - new Date(NOON).getTimezoneOffset() * 60_000) / DAY);

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The server's time when the local time is `hours` and `minutes`. */
const at = (hours: number, minutes = 0) => new Date(2026, 2, 5, hours, minutes).toISOString().slice(11, 23);
const notice = (seq: number, about: string, time = at(10)) => noticeOf(noticeFrame(seq, about, time));
const messageOf = (seq: number, sender: string, time: string) => read(chatFrame(seq, { sender, time }), "🦄");
const keys = (lines: readonly Line[]) => rowsOf(lines).map(({ key }) => key);

test("comings and goings in a row are one row, which keeps its name as more come", () => {
  const lines: Line[] = [notice(1, "🦊 joined"), notice(2, "🐶 joined")];
  expect(keys(lines)).toEqual(["1"]);
  const more = [...lines, notice(3, "🦊 left"), messageOf(4, "🐶", at(10))];
  expect(keys(more)).toEqual(["1", "4"]);
  expect(keys([notice(1, "🦊 joined"), messageOf(2, "🐶", at(10)), notice(3, "🐙 joined")])).toEqual([
    "1",
    "2",
    "3",
  ]);
});

test("other events have rows of their own, and so has a single member who joined", () => {
  const lines = [notice(1, "🦊 joined"), notice(2, "🐶 removed"), notice(3, "🐙 joined")];
  expect(rowsOf(lines)).toEqual(lines);
});

test("comings and goings on both sides of midnight are two rows", () => {
  const lines = [notice(1, "🦊 joined", at(23, 58)), notice(2, "🐶 joined", at(23, 59))];
  expect(keys([...lines, notice(3, "🐙 joined", at(0, 1)), notice(4, "🐛 joined", at(0, 2))])).toEqual([
    "1",
    "3",
  ]);
});

test("three names are shown, and of more names the first two", () => {
  const joined = ["🦊", "🐶", "🐙", "🐛"].map((emoji, place) => notice(place, `${emoji} joined`));
  const words = (count: number) => comingsWords(joined.slice(0, count)).toLowerCase();
  expect(words(3)).toMatch(/^fox, dog,? and octopus joined$/);
  expect(words(4)).toMatch(/^fox, dog,? and 2 others joined$/);
  expect(comingsWords([...joined.slice(0, 2), notice(9, "🐙 left")]).toLowerCase()).toBe(
    "fox and dog joined, octopus left",
  );
});

test("a day is shown above its first row, also after days without a message", () => {
  const rows = rowsOf([
    messageOf(1, "🦊", at(20)),
    messageOf(2, "🦊", at(23, 59)),
    messageOf(3, "🦊", at(0, 1)),
    messageOf(4, "🦊", at(11, 59)),
  ]);
  const days = rows.map((_, place) => dayAbove(rows, place, TODAY));
  expect(days).toEqual(["Yesterday", undefined, "Today", undefined]);
  expect(begins(rows[1], rows[2])).toBe(true);
  expect(begins(rows[2], rows[3])).toBe(false);
});

test("after midnight today is yesterday, and an older day is called by its name", () => {
  const rows = rowsOf([messageOf(1, "🦊", at(11))]);
  expect(dayAbove(rows, 0, TODAY)).toBe("Today");
  vi.setSystemTime(NOON + DAY / 2);
  expect(dayAbove(rows, 0, TODAY + 1)).toBe("Yesterday");
  expect(dayWords(TODAY - 2, TODAY)).toMatch(/Tuesday.*3|3.*Tuesday/);
});

test("a server's clock that is set right by seconds, or one's own that is off by hours, begins no day", () => {
  const first = messageOf(1, "🦊", at(10, 0));
  expect(begins(first, messageOf(2, "🦊", new Date(2026, 2, 5, 9, 59, 30).toISOString().slice(11, 23)))).toBe(
    false,
  );
  expect(begins(first, { ...messageOf(2, "🦊", at(8)), time: NOON - 4 * 3_600_000 })).toBe(false);
});
