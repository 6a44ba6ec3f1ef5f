import { beforeEach, expect, test } from "vitest";
import { forgetGroup, keepGroup, keepSeen, keptGroups, seenOf } from "./keptGroups";

const [ONE, TWO] = ["5d0f3a52-8a51-4f2e-9b57-0c1f0a6f2d11", "0b4f7c1e-13c5-4a6e-8d0a-9a4c6f2b7e33"];

beforeEach(() => localStorage.clear());

test("the group that ends first is the first, and each has the user's own emoji", () => {
  keepGroup(ONE, { name: "later", ends: 2000 });
  keepGroup(TWO, { name: "sooner", ends: 1000 });
  localStorage.setItem(TWO, "🦊");
  expect(keptGroups()).toEqual([
    { id: TWO, name: "sooner", ends: 1000, emoji: "🦊" },
    { id: ONE, name: "later", ends: 2000, emoji: "" },
  ]);
});

test("how much was seen is unknown before the first visit, and is forgotten with the group", () => {
  keepGroup(ONE, { name: "tacos", ends: 1000 });
  expect(seenOf(ONE)).toBeUndefined();
  keepSeen(localStorage, ONE, 0);
  expect(seenOf(ONE)).toBe(0);
  forgetGroup(localStorage, ONE);
  expect([seenOf(ONE), keptGroups(), localStorage.length]).toEqual([undefined, [], 0]);
});

test.each(["", "null", "{", "7", '{"name":"tacos"}', '{"name":7,"ends":1}'])(
  "%j on the device is no group",
  (kept) => {
    localStorage.setItem(`annon.group.${ONE}`, kept);
    expect(keptGroups()).toEqual([]);
  },
);
