import { expect, test } from "vitest";
import { momentOf } from "./moment";

const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);

test("a time of the server's is the last time its clock stood there", () => {
  expect(momentOf("11:59:58.500", NOON)).toBe(NOON - 1500);
  expect(momentOf("23:00:00.000", NOON)).toBe(NOON - 13 * 3_600_000);
  expect(momentOf("00:00:00.000", NOON)).toBe(NOON - 12 * 3_600_000);
  expect(momentOf(NOON - 5, NOON)).toBe(NOON - 5);
});

test("a server whose clock is a little ahead didn't write a day ago", () => {
  expect(momentOf("12:00:20.000", NOON)).toBe(NOON + 20_000);
  const midnight = Date.UTC(2026, 10, 21);
  expect(momentOf("23:59:59.000", midnight + 500)).toBe(midnight - 1000);
});
