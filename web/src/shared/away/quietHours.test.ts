import { expect, test } from "vitest";
import { minutesOf, shownTime } from "./quietHours";

/** Vienna in winter, India, and the west of America. */
const OFFSETS = [-60, -330, 480];

test.each(OFFSETS)("a time is the same again, %s minutes from UTC", (offset) => {
  for (const time of ["00:00", "07:30", "22:00", "23:59"])
    expect(shownTime(minutesOf(time, offset) ?? -1, offset)).toBe(time);
});

test("the server has minutes in UTC", () => {
  expect(minutesOf("22:00", -60)).toBe(21 * 60);
  expect(minutesOf("00:30", -60)).toBe(23 * 60 + 30);
  expect(minutesOf("20:00", 480)).toBe(4 * 60);
  for (const none of ["", "24:00", "7:00", "12:60", "noon"]) expect(minutesOf(none)).toBeUndefined();
});
