import { expect, test } from "vitest";
import { emojiStyle, isEmoji, tokens } from "./tokens";

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
