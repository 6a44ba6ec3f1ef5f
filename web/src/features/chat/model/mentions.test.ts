import { expect, test } from "vitest";
import { mentions, splitAtMentions } from "./mentions";

const HERE = new Set(["🦊", "🐻", "⭐"]);
const emojis = (words: string) => splitAtMentions(words, HERE).flatMap(({ emoji }) => emoji ?? []);

test("words are split without a loss", () => {
  const words = "@🦊: ask @⭐️ (or @🐻)!";
  expect(splitAtMentions(words, HERE)).toEqual([
    { text: "@🦊", emoji: "🦊" },
    { text: ": ask " },
    { text: "@⭐️", emoji: "⭐" },
    { text: " (or " },
    { text: "@🐻", emoji: "🐻" },
    { text: ")!" },
  ]);
  expect(splitAtMentions("nobody", HERE)).toEqual([{ text: "nobody" }]);
  expect(splitAtMentions("", HERE)).toEqual([]);
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
  expect(mentions("hey @🦊🐻", "🦊")).toBe(true);
  expect(mentions("@🐻@🦊", "🦊")).toBe(true);
  expect(mentions("@🐻 and 🦊", "🦊")).toBe(false);
});
