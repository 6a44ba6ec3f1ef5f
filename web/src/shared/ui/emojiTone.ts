/** How many sticker colours a disc can have; `EmojiDisc.module.css` has one rule for each. */
export const TONES = 8;

/**
 * The colour of an emoji's disc, as a number from 0. It depends on nothing but the emoji, so a member has the same
 * colour on every screen and in every browser without anybody storing or sending it.
 */
export function emojiTone(emoji: string): number {
  let hash = 0;
  for (const character of emoji) {
    const codePoint = character.codePointAt(0) ?? 0;
    // The variation selector says "draw as emoji"; with or without it, it is the same face.
    if (codePoint !== 0xfe0f) hash = (hash * 31 + codePoint) >>> 0;
  }
  return hash % TONES;
}
