import { expect, test } from "vitest";
import { emojiStyle, graphemes, isEmoji, tokens } from "./tokens";

const links = (message: string) =>
  tokens(message)
    .filter((token) => token.kind === "link")
    .map((token) => [token.text, token.href]);

test("a link tag is a link, and can't hide where it leads", () => {
  expect(tokens('go <a href="https://evil.example/x">bank</a>!')).toEqual([
    { kind: "text", text: "go bank (" },
    { kind: "link", text: "https://evil.example/x", href: "https://evil.example/x" },
    { kind: "text", text: ")!" },
  ]);
  expect(links('<a href="https://a.example">https://a.example</a>')).toEqual([
    ["https://a.example", "https://a.example/"],
  ]);
  expect(links('<a href="javascript:alert(1)">x</a>')).toEqual([]);
});

test.each([
  ["🦊", "single"],
  [" 👩‍👩‍👧‍👦 ", "single"],
  ["🇳🇬", "single"],
  ["👍🏽", "single"],
  ["❤️", "single"],
  ["1️⃣", "single"],
  ["🦊 🐙\n🌵", "some"],
  ["🦊!", "none"],
  ["12", "none"],
  ["©", "none"],
  ["", "none"],
])("%j is %s", (message, style) => {
  expect(emojiStyle(message)).toBe(style);
});

test("digits and letters aren't emoji", () => {
  expect(["a", "1", "#", "é", "😀", "☂️"].map(isEmoji)).toEqual([false, false, false, false, true, true]);
});

test("what is taken apart without the segmenter falls into the same characters as with it", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const segments = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const differing: string[] = [];
  for (const [from, to] of [
    [0x09, 0x300],
    [0x2000, 0x3300],
    [0x1f000, 0x1fb00],
  ] as const) {
    for (let point = from; point < to; point += 1) {
      const sign = String.fromCodePoint(point);
      const text = `${sign}a${sign}${sign}🌮${sign}ü`;
      if (graphemes(text).join("|") !== segments(text).join("|")) differing.push(text);
    }
  }
  expect(differing).toEqual([]);
});
