import { expect, test } from "vitest";
import { cameFrom } from "./cameFrom";
import { keptFrom } from "./keptFrom";

const ROOM = "5f2c0a8e-9f0b-4c6e-8d1a-2b3c4d5e6f70";

test("the history has all that is known of a group, but of a sealed one only which it was", () => {
  const open = { room: ROOM, name: "midnight tacos", unsent: "half a sentence" };
  expect([keptFrom(open), cameFrom(keptFrom(open))]).toEqual([open, open]);
  const sealed = { ...open, key: "marked-key" };
  const state = keptFrom(sealed);
  expect(JSON.stringify(state)).not.toMatch(/tacos|sentence|marked/);
  expect(cameFrom(state)).toEqual(sealed);
});

test("nothing is shown of another group, and of what is no group", () => {
  const state = keptFrom({ room: ROOM, name: "midnight tacos", key: "k" });
  const other = { ...state, room: ROOM.replace("5", "6") };
  expect(cameFrom(other)).not.toHaveProperty("name");
  for (const none of [undefined, null, {}, { room: "x" }, { room: 5 }])
    expect(cameFrom(none)).toBeUndefined();
});
