import { expect, test } from "vitest";
import { means, pieces } from "./mentions";

const HERE = new Set(["🦊", "🐻", "⭐"]);
const emojis = (words: string) => pieces(words, HERE).flatMap(({ emoji }) => emoji ?? []);

test("words are taken apart without losing any", () => {
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
])("%s means nobody", (_, words) => {
  expect(emojis(words)).toEqual([]);
});

test("one is meant by one's own emoji, wherever it stands", () => {
  expect(means("hey @🦊🐻", "🦊")).toBe(true);
  expect(means("@🐻@🦊", "🦊")).toBe(true);
  expect(means("@🐻 and 🦊", "🦊")).toBe(false);
});
