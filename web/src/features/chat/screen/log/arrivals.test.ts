import { expect, test } from "vitest";
import type { Connection, Message } from "../../model/chat";
import { arrivals } from "./arrivals";

const line = (key: string, mine = false) => ({ kind: "message", key, mine }) as Message;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => line(String(from + at)));
const shown = (all: Message[], connection: Connection = "live") => ({ lines: all, connection });

test("what comes at the end arrives, and what was there doesn't", () => {
  const before = lines(0, 40);
  expect(arrivals(shown(before), shown([...before, line("new")]))).toEqual(["new"]);
  expect(arrivals(shown(before), shown([...before.slice(0, -1), line("39")]))).toEqual([]);
  expect(arrivals(shown([]), shown([line("the first of all")]))).toEqual(["the first of all"]);
});

test("what comes in front of one's own that is on its way arrives, and that doesn't again", () => {
  const before = [...lines(0, 40), line("mine", true)];
  expect(arrivals(shown(before), shown([...before.slice(0, -1), line("new"), line("mine", true)]))).toEqual([
    "new",
  ]);
});

test.each([2, 30])("a page of the history before %i lines doesn't arrive", (count) => {
  const before = lines(100, 100 + count);
  expect(arrivals(shown(before), shown([...lines(97, 100), ...before]))).toEqual([]);
});

test("many at once don't arrive, and neither does what was missed while one was away", () => {
  const before = lines(0, 5);
  expect(arrivals(shown(before), shown([...before, ...lines(5, 8)]))).toHaveLength(3);
  expect(arrivals(shown(before), shown([...before, ...lines(5, 9)]))).toEqual([]);
  expect(arrivals(shown(before), shown(lines(200, 260)))).toEqual([]);
  const after = [...before, line("missed"), line("mine", true)];
  expect(arrivals(shown(before), shown(after, "reconnecting"))).toEqual(["mine"]);
});
