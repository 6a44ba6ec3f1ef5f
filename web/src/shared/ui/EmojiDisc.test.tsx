import { expect, test } from "vitest";
import { PALETTE, UNKNOWN_MEMBER } from "@/shared/contract/palette";
import { emojiTone } from "./EmojiDisc";

test("every member has a colour, and somebody unknown has none", () => {
  expect(PALETTE.every((emoji) => emojiTone(emoji) !== undefined)).toBe(true);
  expect(emojiTone(UNKNOWN_MEMBER)).toBeUndefined();
});
