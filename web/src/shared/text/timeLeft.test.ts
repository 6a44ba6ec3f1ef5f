import { expect, test } from "vitest";
import { timeLeft } from "./timeLeft";

test("the time left is in hours and minutes, and near the end in seconds", () => {
  expect(timeLeft(23 * 3_600_000 + 58 * 60_000 + 1000)).toBe("23h 59m left");
  expect(timeLeft(61 * 60_000)).toBe("1h 1m left");
  expect(timeLeft(59 * 60_000)).toBe("59m left");
  expect(timeLeft(599_000)).toBe("9:59 left");
  expect(timeLeft(69_000)).toBe("1:09 left");
  expect(timeLeft(61_000)).toBe("1:01 left");
  expect(timeLeft(400)).toBe("0:01 left");
  expect(timeLeft(-5)).toBe("0:00 left");
});
