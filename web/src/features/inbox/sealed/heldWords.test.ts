import { expect, test } from "vitest";
import { hasHeldWord } from "./heldWords";

const MARKS = `s${"\u{301}".repeat(900)}tupid`;

test.each([
  ["stupid", "You are STUPID."],
  ["stupid", "so ｓｔｕｐｉｄ of you"],
  ["stupid", "st\u{200b}up\u{ad}id"],
  ["stupid", "s\u{336}t\u{336}u\u{336}p\u{336}i\u{336}d"],
  ["Straße", "die STRASSE dort"],
  ["ΟΔΟΣ", "μια οδος εδω"],
  ["café", "the cafe\u{301} there"],
  ["cafe", "the café there"],
  ["ﬁsh", "a FISH"],
  ["go  away", "Please, go - AWAY now"],
  ["笨蛋", "你是笨蛋吗"],
  ["🖕", "take that 🖕🏽"],
  ["İstanbul", "istanbul"],
  ["stupid", "st\u{200d}up\u{200c}id"],
  ["stupid", "s\u{fe0f}t\u{2060}u\u{feff}p\u{e0001}id"],
  ["stupid", "ⓢⓣⓤⓟⓘⓓ"],
  ["stupid", "𝓼𝓽𝓾𝓹𝓲𝓭 𝔰𝔱𝔲𝔭𝔦𝔡"],
  ["stupid", "\u{202e}stupid\u{202c}"],
  ["stupid", MARKS],
  ["office", "the oﬃce"],
  ["ﬀ", "FF"],
  ["ガッ", "ｶﾞｯ と 言う"],
  ["각", "\u{1100}\u{1161}\u{11a8}"],
  ["👩\u{200d}👧", "look: 👩👧!"],
  ["👩👧", "look: 👩\u{200d}👧!"],
  ["🖕", "x🖕\u{fe0f}x"],
  ["❤", "with ❤\u{fe0f}\u{200d}🔥"],
  ["🇩🇪", "go 🇩🇪 go"],
  ["1\u{fe0f}\u{20e3}", "number 1\u{20e3}"],
])("%s is found in %s", (word, text) => {
  expect(hasHeldWord(text, [word])).toBe(true);
});

test.each([
  ["ass", "a class of glass"],
  ["ass", "cl\u{200d}ass"],
  ["go away", "go far away"],
  ["go away", "away go"],
  ["stupid", "st upid"],
  ["笨蛋", "笨的蛋"],
  ["stupid", ""],
  ["👧👩", "👩\u{200d}👧"],
  ["🇩🇪", "🇪🇩"],
  ["off", "oﬃce"],
])("%s is not found in %s", (word, text) => {
  expect(hasHeldWord(text, [word])).toBe(false);
});

test("any of several is enough, and none holds nothing back", () => {
  expect(hasHeldWord("go go away", ["go away", "go on"])).toBe(true);
  expect(hasHeldWord("on and away we go", ["go away", "go on"])).toBe(false);
  expect(hasHeldWord("anything", [])).toBe(false);
});
