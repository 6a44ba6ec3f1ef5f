import { expect, test } from "vitest";
import { means, pieces } from "./mentions";

const HERE = new Set(["🦊", "🐻", "⭐"]);
const emojis = (words: string) => pieces(words, HERE).flatMap(({ emoji }) => emoji ?? []);

test("words are split without a loss", () => {
  const words = "@🦊: ask @⭐️ (or @🐻)!";
  expect(pieces(words, HERE)).toEqual([
    { text: "@🦊", emoji: "🦊" },
    { text: ": ask " },
    { text: "@⭐️", emoji: "⭐" },
    { text: " (or " },
    { text: "@🐻", emoji: "🐻" },
    { text: ")!" },
  ]);
  expect(pieces("nobody", HERE)).toEqual([{ text: "nobody" }]);
  expect(pieces("", HERE)).toEqual([]);
});

test.each([
  ["nobody’s emoji", "@🐙"],
  ["an emoji without the sign", "🦊"],
  ["an address", "me@🦊.example"],
  ["another emoji that begins like it", "@🐻\u200d❄️"],
  ["a skin that is put on it", "@🦊\u{1f3fd}"],
  ["a space between", "@ 🦊"],
])("%s mentions nobody", (_, words) => {
  expect(emojis(words)).toEqual([]);
});

test("a member is mentioned by their emoji, wherever it is in the words", () => {
  expect(means("hey @🦊🐻", "🦊")).toBe(true);
  expect(means("@🐻@🦊", "🦊")).toBe(true);
  expect(means("@🐻 and 🦊", "🦊")).toBe(false);
});
