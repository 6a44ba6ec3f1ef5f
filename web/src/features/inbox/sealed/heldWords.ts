/**
 * Words held back: how they are compared with a note that the server can't read. The server does the same with open
 * notes (`store/src/shield/words.rs`), and both are tested with the same cases.
 */

/** Between two folded words, before the first and after the last. No word has it. */
const BREAK = "\n";

/** Characters without a width, which would cut a word in two unseen. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is meant alone
  /[\u{ad}\u{61c}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{fe00}-\u{fe0f}\u{feff}\u{e0000}-\u{e0fff}]|\u{34f}/u;

/** Thai and its neighbours, kana and Chinese characters. */
const WITHOUT_BLANKS =
  /[\u{e00}-\u{eff}\u{1000}-\u{109f}\u{1780}-\u{17ff}\u{3041}-\u{30ff}\u{3400}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{3ffff}]/u;

/** Emoji and other signs that say something, unless they are letters or digits. */
const SIGN = /[^\0-\u{218f}\u{3000}-\u{303f}\u{fe10}-\u{ff65}]/u;

const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/u;
const MARK = /(?!\p{Alphabetic})\p{M}/u;

/** Whether a text has one of the words and phrases. */
export function hasHeldWord(text: string, held: readonly string[]): boolean {
  const words = folded(text);
  return held.some((phrase) => words.includes(folded(phrase)));
}

/** The folded words of a text, each between two breaks: NFKC, without capitals, and without marks on letters. */
function folded(text: string): string {
  const upper = [...text.normalize("NFKC").toUpperCase()];
  // Letter by letter: of a whole word JavaScript makes the last sigma another one.
  const lower = upper.map((letter) => letter.toLowerCase()).join("");
  let words = BREAK;
  const endWord = () => {
    if (!words.endsWith(BREAK)) words += BREAK;
  };
  for (const character of lower.normalize("NFD")) {
    if (INVISIBLE.test(character) || MARK.test(character)) continue;
    const isOfWord = LETTER_OR_DIGIT.test(character);
    const standsAlone = isOfWord ? WITHOUT_BLANKS.test(character) : SIGN.test(character);
    if (isOfWord && !standsAlone) {
      words += character;
      continue;
    }
    endWord();
    if (standsAlone) words += character + BREAK;
  }
  endWord();
  return words;
}
