import { expect, test } from "vitest";
import { fitted, isKept } from "./shrink";

test("the longest side counts, the shape is kept, and no picture is enlarged", () => {
  expect(fitted({ width: 4000, height: 3000 }, 1080)).toEqual({ width: 1080, height: 810 });
  expect(fitted({ width: 3000, height: 4000 }, 1080)).toEqual({ width: 810, height: 1080 });
  expect(fitted({ width: 640, height: 480 }, 1080)).toEqual({ width: 640, height: 480 });
  expect(fitted({ width: 10_000, height: 3 }, 20)).toEqual({ width: 20, height: 1 });
});

test.each([
  [512_000, 1080, "image/jpeg", true],
  [512_001, 1080, "image/jpeg", false],
  [512_000, 1081, "image/jpeg", false],
  [1000, 100, "image/png", true],
  [1000, 100, "image/webp", true],
  [1000, 100, "image/gif", false],
  [1000, 100, "", false],
])("a file of %i bytes, %i pixels wide, %s: kept as it is: %s", (size, width, type, kept) => {
  expect(isKept({ size, type }, { width, height: 10 })).toBe(kept);
});
