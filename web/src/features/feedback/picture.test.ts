import { expect, test } from "vitest";
import { checkPicture } from "./picture";

test.each([
  ["image/png", 5_242_880, undefined],
  ["image/png", 5_242_881, "Choose a picture of at most 5 MB."],
  ["image/gif", 100, "Choose a JPEG, PNG or WebP picture."],
  ["", 100, "Choose a JPEG, PNG or WebP picture."],
])("%s of %d bytes", (type, size, error) => {
  expect(checkPicture({ type, size })).toBe(error);
});
