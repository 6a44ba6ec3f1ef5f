import { afterEach, expect, test } from "vitest";
import { pointsOf } from "./addresses";

const POINTS = ["always", "-- where none are kept", "-+ where some are kept"];

afterEach(() => {
  delete document.documentElement.dataset.addresses;
});

test("what isn't true of this site isn't there, whatever the styles do", () => {
  expect(pointsOf(POINTS)).toEqual([{ text: "always" }, { text: "where none are kept", where: "not-kept" }]);
  document.documentElement.dataset.addresses = "kept";
  expect(pointsOf(POINTS)).toEqual([{ text: "always" }, { text: "where some are kept", where: "kept" }]);
});
