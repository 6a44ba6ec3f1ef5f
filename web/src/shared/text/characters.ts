/** The number of Unicode characters, as the server counts; `length` would count the halves of some. */
export function characters(text: string): number {
  return Array.from(text).length;
}

export function capped(text: string, max: number): string {
  return characters(text) <= max ? text : Array.from(text).slice(0, max).join("");
}

/** A character that one can see: no blank, no control or format character, and no letter that is drawn empty. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nothing in the words is visible. The server also refuses such words. */
export function isBlank(words: string): boolean {
  return !VISIBLE.test(words);
}
