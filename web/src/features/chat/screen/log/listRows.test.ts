import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Line, Message } from "../../model/chat";
import { noticeOf, messageOf as read } from "../../model/linesOf";
import { chatFrame, noticeFrame } from "../../testing/fakeRoom";
import { dayAbove, dayWords } from "./days";
import { begins, holds, messagesOf, rowsOf } from "./listRows";
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
const photoOf = (seq: number, { time = at(10), caption = "", sender = "🦊" } = {}) =>
  read(
    chatFrame(seq, { event: "event.image", sender, time, message: "", caption, image_src: `p${seq}` }),
    "🦄",
  );
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

/** The places of the messages in each row. */
const galleries = (...lines: Line[]) => rowsOf(lines).map((row) => messagesOf(row).map(({ seq }) => seq));

test("pictures that were sent together are one row, which keeps its key as more come", () => {
  const lines = [photoOf(1), photoOf(2), photoOf(3)];
  expect(galleries(...lines)).toEqual([[1, 2, 3]]);
  expect(keys(lines.slice(0, 1))).toEqual(keys(lines));
  const [row] = rowsOf(lines);
  expect(["1", "3", "4"].map((key) => holds(row, key))).toEqual([true, true, false]);
});

test("what is between pictures parts them: words, other members, notices, a minute, midnight", () => {
  const [first, second] = [photoOf(1), photoOf(3)];
  const words = messageOf(2, "🦊", at(10));
  for (const between of [words, photoOf(2, { sender: "🐶" }), notice(2, "🐶 joined")])
    expect(rowsOf([first, between, second])).toHaveLength(3);
  expect(galleries(photoOf(1, { time: at(9, 58) }), photoOf(2))).toEqual([[1], [2]]);
  expect(galleries(photoOf(1, { time: at(9, 59) }), photoOf(2))).toEqual([[1, 2]]);
  expect(galleries(photoOf(1, { time: at(23, 59) }), photoOf(2, { time: at(0, 0) }))).toEqual([[1], [2]]);
});

test("a gallery has one caption, and an answer begins another", () => {
  const [one, other] = [{ caption: "one" }, { caption: "other" }];
  expect(galleries(photoOf(1, one), photoOf(2), photoOf(3, other), photoOf(4))).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(rowsOf([photoOf(1), photoOf(2, one), photoOf(3)])).toMatchObject([
    { kind: "gallery", words: "one" },
  ]);
  const answer = { ...photoOf(2), reply: { sender: "🐶", words: "show us", seq: 0, picture: "" } };
  expect(galleries(photoOf(1), answer, photoOf(3))).toEqual([[1], [2, 3]]);
});

test("one that was taken back, or that failed, stands alone, and the others stay", () => {
  const back = { ...photoOf(2), picture: null, retracted: true };
  expect(galleries(photoOf(1), back, photoOf(3), photoOf(4))).toEqual([[1], [2], [3, 4]]);
  const pending = (state: Message["delivery"]): Message => ({
    ...photoOf(2),
    ...{ key: "mine", seq: undefined, time: NOON - 3_600_000, delivery: state },
  });
  const sending = rowsOf([photoOf(1), pending({ state: "uploading", percent: 5 })]);
  expect(sending).toMatchObject([{ kind: "gallery", delivery: { state: "uploading" } }]);
  expect(rowsOf([photoOf(1), pending({ state: "failed", why: "" })])).toHaveLength(2);
});

test("no gallery has more pictures than can be chosen at a time", () => {
  const many = Array.from({ length: 12 }, (_, place) => photoOf(place));
  expect(galleries(...many).map(({ length }) => length)).toEqual([10, 2]);
});
