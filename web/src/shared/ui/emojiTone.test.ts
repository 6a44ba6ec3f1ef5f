import { expect, test } from "vitest";
import { emojiTone, TONES } from "./emojiTone";

const faces = ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸", "🐼", "🦄"];

test("an emoji always gets the same tone, and a valid one", () => {
  for (const face of faces) {
    expect(emojiTone(face)).toBe(emojiTone(face));
    expect(emojiTone(face)).toBeGreaterThanOrEqual(0);
    expect(emojiTone(face)).toBeLessThan(TONES);
  }
});

test("the emoji variation selector doesn't change the tone", () => {
  expect(emojiTone("☂\uFE0F")).toBe(emojiTone("☂"));
});

test("a handful of faces spreads over several tones", () => {
  expect(new Set(faces.map(emojiTone)).size).toBeGreaterThan(4);
});
