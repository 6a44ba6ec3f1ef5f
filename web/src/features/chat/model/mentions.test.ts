import { expect, test } from "vitest";
import { means, pieces } from "./mentions";

const HERE = new Set(["🦊", "🐻", "⭐"]);
const faces = (words: string) => pieces(words, HERE).flatMap(({ face }) => face ?? []);

test("words are taken apart without losing any", () => {
  const words = "@🦊: ask @⭐️ (or @🐻)!";
  expect(pieces(words, HERE)).toEqual([
    { text: "@🦊", face: "🦊" },
    { text: ": ask " },
    { text: "@⭐️", face: "⭐" },
    { text: " (or " },
    { text: "@🐻", face: "🐻" },
    { text: ")!" },
  ]);
  expect(pieces("nobody", HERE)).toEqual([{ text: "nobody" }]);
  expect(pieces("", HERE)).toEqual([]);
});

test.each([
  ["nobody’s face", "@🐙"],
  ["a face without the sign", "🦊"],
  ["an address", "me@🦊.example"],
  ["another emoji that begins like it", "@🐻\u200d❄️"],
  ["a skin that is put on it", "@🦊\u{1f3fd}"],
  ["a space between", "@ 🦊"],
])("%s means nobody", (_, words) => {
  expect(faces(words)).toEqual([]);
});

test("one is meant by one's own face, wherever it stands", () => {
  expect(means("hey @🦊🐻", "🦊")).toBe(true);
  expect(means("@🐻@🦊", "🦊")).toBe(true);
  expect(means("@🐻 and 🦊", "🦊")).toBe(false);
});
