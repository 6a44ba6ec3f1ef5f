import { expect, test } from "vitest";
import { withoutDirections, withoutOverrides } from "./directions";

test("no mark turns words round", () => {
  expect(withoutOverrides("\u202eknab eht\u202c and \u202don")).toBe("knab eht\u202c and on");
});

test.each([
  "שלום, עולם (2026)",
  "مرحبا\u200f! 12:30\u061c",
  "\u2067עברית\u2069 in English",
  "\u202bשלום\u202c",
])("%j is written with marks of its own, and keeps them", (words) => {
  expect(withoutOverrides(words)).toBe(words);
});

test("a name has no mark at all", () => {
  expect(withoutDirections("\u202emoc.\u2067knab\u2069\u200f\u061c")).toBe("moc.knab");
});
