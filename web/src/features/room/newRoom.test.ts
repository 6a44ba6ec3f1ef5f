import { expect, test } from "vitest";
import { ROOM_NAME_MAX } from "@/shared/contract/limits";
import { groupNames as german } from "@/shared/text/de/groupNames";
import { groupNames } from "@/shared/text/en/groupNames";
import { anotherName, isNameEnough } from "./newRoom";

test("four characters are enough, blanks at the ends and halves of an emoji aren't any", () => {
  expect(isNameEnough("\u3164\u3164\u3164\u3164")).toBe(false);
  expect(isNameEnough("\u202eowl")).toBe(false);
  expect(isNameEnough("owls")).toBe(true);
  expect(isNameEnough(" owl ")).toBe(false);
  expect(isNameEnough("🦉🦉🦉")).toBe(false);
  expect(isNameEnough("🦉🦉🦉🦉")).toBe(true);
});

test.each([
  ["English", groupNames.fancy],
  ["German", german.fancy],
])("the wand knows twenty %s names, all of which can be given", (_, names) => {
  expect(new Set(names).size).toBe(20);
  for (const name of names) {
    expect(isNameEnough(name), name).toBe(true);
    expect(Array.from(name).length, name).toBeLessThanOrEqual(ROOM_NAME_MAX);
  }
});

test("the wand reaches every name but the one that is there", () => {
  const names = ["a", "b", "c"];
  const drawn = [0, 0.5, 0.999].map((number) => anotherName(names, "b", () => number));
  expect(drawn).toEqual(["a", "c", "c"]);
  expect(anotherName(names, "my own", () => 0.999)).toBe("c");
});
