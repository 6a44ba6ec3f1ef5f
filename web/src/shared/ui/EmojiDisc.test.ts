import { expect, test } from "vitest";
import { emojiTone, TONES } from "./EmojiDisc";

test("a handful of faces spreads over several tones, the variation selector doesn't change one", () => {
  const faces = ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸", "🐼", "🦄"];
  for (const face of faces) expect(TONES).toContain(emojiTone(face));
  expect(new Set(faces.map(emojiTone)).size).toBeGreaterThan(4);
  expect(emojiTone("☂\uFE0F")).toBe(emojiTone("☂"));
});
