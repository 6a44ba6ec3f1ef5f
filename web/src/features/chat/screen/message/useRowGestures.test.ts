import { expect, test } from "vitest";
import { pulled, REPLY_AT_PX, wayOf } from "./useRowGestures";

test("a finger that goes up or down, or back, doesn't answer", () => {
  expect(wayOf(3, 4)).toBe("undecided");
  expect(wayOf(14, 2)).toBe("across");
  expect(wayOf(14, 12)).toBe("elsewhere");
  expect(wayOf(2, -15)).toBe("elsewhere");
  expect(wayOf(-20, 0)).toBe("elsewhere");
});

test("the row follows the finger to where it counts, and resists beyond", () => {
  expect(pulled(-5)).toBe(0);
  expect(pulled(20)).toBe(20);
  expect(pulled(REPLY_AT_PX)).toBe(REPLY_AT_PX);
  expect(pulled(REPLY_AT_PX + 20)).toBe(REPLY_AT_PX + 7);
  expect(pulled(900)).toBe(84);
});
