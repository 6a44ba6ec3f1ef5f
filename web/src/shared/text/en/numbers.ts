/** How the texts write 10 and the next numbers in words, and what may follow such a word. `words.test.ts` reads it. */
export const numbers = {
  names: ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"],
  /** A pattern. "th" finds "tenth". */
  endings: "th",
};
