/** Counted as the server counts: characters, not their halves. */
export function characters(text: string): number {
  return Array.from(text).length;
}

export function capped(text: string, max: number): string {
  return characters(text) <= max ? text : Array.from(text).slice(0, max).join("");
}

/** What shows something: no blank, no control or format character, and none of the letters that are drawn as nothing. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is nothing to be seen in it, however long it is. The server refuses such words, too. */
export function isBlank(words: string): boolean {
  return !VISIBLE.test(words);
}
