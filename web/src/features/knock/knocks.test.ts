import { afterEach, expect, test } from "vitest";
import { drop, forgetKnocks, hearKnocks, knocksAt, useKnocks } from "./knocks";

const one = { knock: "k1", emoji: "🦊", seconds_left: 600 };
const two = { knock: "k2", emoji: "🦉", seconds_left: 300 };
const told = (seq: number, ...knocks: (typeof one)[]) => ({
  event: "event.knocks",
  id: "room-1",
  knocks,
  ask_first: true,
  seq,
});
const shown = () => knocksAt("room-1")(useKnocks.getState()).map(({ knock }) => knock);

afterEach(() => forgetKnocks());

test("a list replaces the last one, and tells who is new", () => {
  expect(hearKnocks(told(5, one)).map(({ knock }) => knock)).toEqual(["k1"]);
  const [before] = knocksAt("room-1")(useKnocks.getState());
  expect(hearKnocks(told(6, { ...one, seconds_left: 599 }, two)).map(({ knock }) => knock)).toEqual(["k2"]);
  expect(shown()).toEqual(["k1", "k2"]);
  expect(knocksAt("room-1")(useKnocks.getState())[0], "the time doesn't jump").toBe(before);
  hearKnocks(told(7, two));
  expect(shown()).toEqual(["k2"]);
});

test("whether newcomers knock is known from the newest list", () => {
  const asks = () => useKnocks.getState()["room-1"]?.asksFirst;
  expect(asks()).toBeUndefined();
  hearKnocks(told(5));
  expect(asks()).toBe(true);
  hearKnocks({ ...told(7), ask_first: false });
  hearKnocks(told(6));
  expect(asks()).toBe(false);
});

test("an older list that comes later changes nothing", () => {
  hearKnocks(told(7, two));
  expect(hearKnocks(told(6, one, two))).toEqual([]);
  expect(shown()).toEqual(["k2"]);
});

test("who was answered or waits no longer is gone, and so are those of a group that has ended", () => {
  hearKnocks(told(5, one, two));
  drop("room-1", "k1");
  expect(shown()).toEqual(["k2"]);
  hearKnocks({ event: "event.room", id: "room-1", standing: { seats: 1, active: 1, message_count: 0 } });
  expect(shown()).toEqual(["k2"]);
  hearKnocks({ event: "event.room", id: "room-1" });
  expect(shown()).toEqual([]);
});
