import { expect, test } from "vitest";
import { ago } from "./ago";

const NOW = new Date(2026, 10, 20, 18, 5).getTime();
const MINUTE = 60_000;

test.each([
  [-MINUTE, "now"],
  [0.5 * MINUTE, "now"],
  [5 * MINUTE, "5 min. ago"],
  [3 * 60 * MINUTE, "3 hr. ago"],
  // Yesterday morning, and the day before that in the evening.
  [35 * 60 * MINUTE, "yesterday"],
  [45 * 60 * MINUTE, "2 days ago"],
  [8 * 24 * 60 * MINUTE, "Nov 12, 2026"],
])("%i ms are said as %s", (past, words) => {
  expect(ago(new Date(NOW - past).toISOString(), NOW)).toBe(words);
});
