import { expect, test } from "vitest";
import { keepWanted, takeWanted } from "./wanted";

test("the wanted page is given once", () => {
  keepWanted("/homepage?tab=groups", 1000);
  expect(takeWanted(2000)).toBe("/homepage?tab=groups");
  expect(takeWanted(2000)).toBeUndefined();
});

test("not after half an hour, and never another site", () => {
  keepWanted("/settings", 1000);
  expect(takeWanted(1000 + 30 * 60 * 1000)).toBeUndefined();
  keepWanted("//elsewhere.example/settings", 1000);
  expect(takeWanted(1000)).toBeUndefined();
});
