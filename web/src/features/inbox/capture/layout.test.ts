import { expect, test } from "vitest";
import { brokenUp, type Line, layOut } from "./layout";

/** Every character is half as wide as it is high, an emoji as wide as it is high. */
const measure = (text: string, size: number) =>
  Array.from(text).reduce((sum, sign) => sum + (/\p{Emoji_Presentation}/u.test(sign) ? size : size / 2), 0);

const box = { width: 900, height: 600, largest: 120, smallest: 24 };
const written = (lines: Line[]) => lines.map(({ runs }) => runs.map(({ text }) => text).join(""));

test("a line breaks at a blank, and the blank goes", () => {
  const lines = brokenUp("one two three", 10, 40, measure);
  expect(written(lines)).toEqual(["one two", "three"]);
  expect(lines.map(({ width }) => width)).toEqual([35, 25]);
});

test("the sender's own lines are kept, empty ones as well", () => {
  expect(written(brokenUp("a\n\nb\r\nc", 10, 100, measure))).toEqual(["a", "", "b", "c"]);
});

test("what is longer than a line breaks inside", () => {
  expect(written(brokenUp("abcdefghij", 10, 20, measure))).toEqual(["abcd", "efgh", "ij"]);
});

test("links and emoji are runs of their own, punctuation stays at its word", () => {
  const [line] = brokenUp("see https://a.example, 🦊!", 10, 1000, measure);
  expect(line?.runs.map(({ kind, text }) => [kind, text])).toEqual([
    ["text", "see "],
    ["link", "https://a.example"],
    ["text", ", "],
    ["emoji", "🦊"],
    ["text", "!"],
  ]);
});

test("a comma never starts a line", () => {
  const lines = written(brokenUp("word https://a.example, more", 10, 95, measure));
  expect(lines.some((line) => line.startsWith(","))).toBe(false);
});

test("a row of emoji breaks between them, and a family of four isn't torn apart", () => {
  expect(written(brokenUp("🦊🐙🌵👻", 10, 20, measure))).toEqual(["🦊🐙", "🌵👻"]);
  expect(written(brokenUp("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 10, 40, measure))).toEqual(["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
});

test("a short message is as large as allowed, a long one as large as fits", () => {
  expect(layOut("Hello there", box, measure).size).toBe(120);
  const long = layOut("a word and another ".repeat(14).trim(), box, measure);
  expect(long.size).toBeLessThan(60);
  expect(long.size).toBeGreaterThan(24);
  expect(long.lines.length * long.lineHeight).toBeLessThanOrEqual(box.height);
});

test("shrinks rather than tear a word", () => {
  const { size, lines } = layOut("incomprehensibilities", box, measure);
  expect(lines).toHaveLength(1);
  expect(size).toBe(Math.floor((900 / 21) * 2));
});

test.each([
  "x".repeat(280),
  "🦊".repeat(280),
  `https://a.example/${"y".repeat(260)}`,
  "word ".repeat(56),
  `${"\n".repeat(3)}a`,
  "الله أكبر ".repeat(20),
])("no line of %# is wider than the box", (message) => {
  const { lines } = layOut(message, box, measure);
  expect(lines.length).toBeGreaterThan(0);
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(box.width);
});
