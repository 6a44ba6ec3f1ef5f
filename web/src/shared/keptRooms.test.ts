import { beforeEach, expect, test } from "vitest";
import { ALIVE, GONE, leaveThreeRooms, UNREACHABLE } from "@/shared/testing/threeRooms";
import { dropRoom, keepRoom, keepSeen, keptRoomIds, keptRooms, seenOf } from "./keptRooms";

const [ONE, TWO, THREE] = [
  "5d0f3a52-8a51-4f2e-9b57-0c1f0a6f2d11",
  "0b4f7c1e-13c5-4a6e-8d0a-9a4c6f2b7e33",
  "7c9e6679-7425-40de-944b-e07fc1f90ae7",
];

beforeEach(() => localStorage.clear());

test("the room that ends first is the first, and each has the user's own emoji", () => {
  keepRoom(ONE, { name: "later", ends: 2000, link: ONE });
  keepRoom(TWO, { name: "sooner", ends: 1000, link: THREE });
  localStorage.setItem(TWO, "🦊");
  expect(keptRooms()).toEqual([
    { id: TWO, link: THREE, name: "sooner", ends: 1000, emoji: "🦊" },
    { id: ONE, link: ONE, name: "later", ends: 2000, emoji: "" },
  ]);
});

test("how much was seen is unknown before the first visit, and is forgotten with the room", () => {
  keepRoom(ONE, { name: "tacos", ends: 1000, link: ONE });
  expect(seenOf(ONE)).toBeUndefined();
  keepSeen(localStorage, ONE, 0);
  expect(seenOf(ONE)).toBe(0);
  dropRoom(localStorage, ONE);
  expect([seenOf(ONE), keptRooms(), localStorage.length]).toEqual([undefined, [], 0]);
});

test.each(["", "null", "{", "7", '{"name":"tacos"}', '{"name":7,"ends":1}'])(
  "%j on the device is no room",
  (kept) => {
    localStorage.setItem(`annon.group.${ONE}`, kept);
    expect(keptRooms()).toEqual([]);
  },
);

test("a room is found by its id, or by anything that is left of it, and once", () => {
  leaveThreeRooms();
  expect(keptRoomIds().sort()).toEqual([ALIVE, GONE, UNREACHABLE].sort());
  localStorage.removeItem(ALIVE);
  localStorage.setItem(`annon.draft.${ALIVE}`, "{}");
  localStorage.setItem(`annon.draft.${GONE}`, "{}");
  localStorage.setItem(`annon.outbox.${GONE}`, "[]");
  expect(keptRoomIds().sort()).toEqual([ALIVE, GONE, UNREACHABLE].sort());
});
