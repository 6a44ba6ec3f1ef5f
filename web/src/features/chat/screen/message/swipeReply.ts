/** How far a finger has to go sideways for an answer, and how far the row follows it at most. */
export const REPLY_AT_PX = 56;
const FARTHEST_PX = 84;
/** Less than this is a tap, or the finger hasn't made up its mind. */
const UNDECIDED_PX = 10;

export type Way = "undecided" | "across" | "elsewhere";

/** What a finger that went so far is about: scrolling and swipes the other way are none of our business. */
export function wayOf(x: number, y: number): Way {
  if (Math.abs(x) < UNDECIDED_PX && Math.abs(y) < UNDECIDED_PX) return "undecided";
  return x > Math.abs(y) * 1.5 ? "across" : "elsewhere";
}

/** How far the row lies to the side: it follows the finger, and then less and less. */
export function pulled(x: number): number {
  if (x <= 0) return 0;
  if (x <= REPLY_AT_PX) return x;
  return Math.min(FARTHEST_PX, REPLY_AT_PX + (x - REPLY_AT_PX) * 0.35);
}
