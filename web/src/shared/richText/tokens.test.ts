import { expect, test } from "vitest";
import { emojiStyle, isEmoji, tokens } from "./tokens";

test("a link tag is a link, and can't hide where it leads", () => {
  expect(tokens('go <a href="https://evil.example/x">bank</a>!')).toEqual([
    { kind: "text", text: "go bank (" },
    { kind: "link", text: "https://evil.example/x", href: "https://evil.example/x" },
    { kind: "text", text: ")!" },
  ]);
  expect(tokens('<a href="https://a.example">https://a.example</a>')).toEqual([
    { kind: "link", text: "https://a.example", href: "https://a.example/" },
  ]);
});

test.each([
  ["🦊", "single"],
  [" 👩‍👩‍👧‍👦 ", "single"],
  ["🇳🇬", "single"],
  ["👍🏽", "single"],
  ["❤️", "single"],
  ["1️⃣", "single"],
  ["#️⃣ℹ️‼️", "some"],
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
