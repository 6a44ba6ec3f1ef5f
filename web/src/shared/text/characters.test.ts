import { expect, test } from "vitest";
import { capped, characters, isBlank } from "./characters";

test.each([
  ["nothing", ""],
  ["blanks", " \t\n\u00a0\u3000"],
  ["control characters", "\u0000\u001b\u0085"],
  ["joiners and marks of no width", "\u200b\u200c\u200d\u2060\ufeff\u034f\u180e"],
  ["hyphens that only show at a break", "\u00ad"],
  ["marks of direction", "\u200e\u200f\u202e\u2066\u2069\u061c"],
  ["letters that are drawn as nothing", "\u3164\u115f\u1160\uffa0\u17b4"],
  ["a braille cell without dots", "\u2800"],
  ["variation selectors and tags", "\ufe0f\u{e0100}\u{e0020}"],
])("%s are blank", (_, words) => {
  expect(isBlank(words)).toBe(true);
  expect(isBlank(words.repeat(20))).toBe(true);
  expect(isBlank(`${words}x`)).toBe(false);
});

test.each(["👩‍👩‍👧‍👦", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣", "می‌خواهم", "é", "."])("%s is to be seen", (words) => {
  expect(isBlank(words)).toBe(false);
});

test("the cap counts an emoji of one code point as one character and splits none", () => {
  expect(characters("🦊🦊")).toBe(2);
  expect(capped("🦊🦊🦊", 2)).toBe("🦊🦊");
  expect(capped("abc", 3)).toBe("abc");
});
