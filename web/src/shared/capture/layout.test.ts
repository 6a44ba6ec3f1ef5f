import { expect, test } from "vitest";
import { brokenUp, layOut, type TextLine } from "./layout";

/** Every character is half as wide as it is high. An emoji is as wide as it is high. */
const measure = (text: string, size: number) =>
  Array.from(text).reduce((sum, sign) => sum + (/\p{Emoji_Presentation}/u.test(sign) ? size : size / 2), 0);

const box = { width: 900, height: 600, largest: 120, smallest: 24 };
const brokenUpFrom = (message: string) => layOut(message, { ...box, width: 9000 }, measure).lines;
const written = (lines: TextLine[]) => lines.map(({ runs }) => runs.map(({ text }) => text).join(""));

test.each([
  ["breaks at a blank, and the blank goes", "one two three", 40, ["one two", "three"]],
  ["keeps the sender's own lines, empty ones as well", "a\n\nb\r\nc", 100, ["a", "", "b", "c"]],
  ["breaks inside what is longer than a line", "abcdefghij", 20, ["abcd", "efgh", "ij"]],
  ["starts none with a comma", "word https://a.example, more", 95, ["word", "https://a.example,", "more"]],
  ["breaks between emoji", "🦊🐙🌵👻", 20, ["🦊🐙", "🌵👻"]],
  ["tears no family of four apart", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 40, ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]],
])("%s", (_, message, width, words) => {
  const lines = brokenUp(message, 10, width, measure);
  expect(written(lines)).toEqual(words);
  expect(lines.map((line) => line.width)).toEqual(words.map((line) => measure(line, 10)));
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

test("no mark turns round what stands in a picture, and a link there says what it opens", () => {
  const [line] = brokenUpFrom("\u202ehttps://www.b\u0430nk.example/\u2067 moc");
  expect(line?.runs.map(({ kind, text }) => [kind, text])).toEqual([
    ["link", "https://www.xn--bnk-6cd.example/"],
    ["text", " moc"],
  ]);
});

test("a short message is as large as allowed, a long one as large as fits", () => {
  expect(layOut("Hello there", box, measure).size).toBe(120);
  const long = layOut("a word and another ".repeat(14).trim(), box, measure);
  expect(long.size).toBeLessThan(60);
  expect(long.size).toBeGreaterThan(24);
  expect(long.lines.length * long.lineHeight).toBeLessThanOrEqual(box.height);
});

test("the text gets smaller before a word is broken", () => {
  const { size, lines } = layOut("incomprehensibilities", box, measure);
  expect(lines).toHaveLength(1);
  expect(size).toBe(Math.floor((900 / 21) * 2));
});

test("a very long word is broken before the whole text gets tiny", () => {
  const { size, lines } = layOut(`so ${"o".repeat(70)} long`, box, measure);
  expect(size).toBeGreaterThanOrEqual(50);
  expect(written(lines).join("")).toContain("ooo");
});

/** At the smallest size, twelve lines fit into this box. */
const low = { ...box, height: 24 * 1.32 * 12.5, largest: 60 };
const numbered = (count: number, between = "\n") =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}`).join(between);

test("as many lines as fit at the smallest size are all there", () => {
  expect(written(layOut(numbered(12), low, measure).lines)).toEqual(numbered(12).split("\n"));
});

test("a text that doesn't fit at the smallest size is cut at its end, and dots show it", () => {
  const { size, lines } = layOut(numbered(50), low, measure);
  expect(size).toBe(24);
  expect(written(lines)).toEqual([...numbered(11).split("\n"), "line 12…"]);
});

test("whole characters of the last line are removed to make space for the dots", () => {
  const full = `${numbered(11)}\n${"👩‍👩‍👧‍👦".repeat(40)}\nmore`;
  const { lines } = layOut(full, { ...low, width: 240 }, measure);
  const last = lines.at(-1);
  expect(written(lines).at(-1)).toMatch(/^(👩‍👩‍👧‍👦)+…$/u);
  expect(last?.width).toBeLessThanOrEqual(240);
});

test("empty lines are removed only if words would be cut", () => {
  expect(written(layOut("a\n\n\nb", low, measure).lines)).toEqual(["a", "", "", "b"]);
  expect(written(layOut(numbered(6, "\n\n \n"), low, measure).lines)).toEqual(
    numbered(6, "\n\n").split("\n"),
  );
  expect(written(layOut(numbered(12, "\r\n\r\n"), low, measure).lines)).toEqual(numbered(12).split("\n"));
});

test.each([
  "x".repeat(280),
  "🦊".repeat(280),
  `https://a.example/${"y".repeat(260)}`,
  "word ".repeat(56),
  `${"\n".repeat(3)}a`,
  "الله أكبر ".repeat(20),
  "a\n".repeat(140),
  `${"a\n\n".repeat(90)}b`,
])("nothing of %# stands out of the box", (message) => {
  const { lines, lineHeight } = layOut(message, box, measure);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length * lineHeight).toBeLessThanOrEqual(box.height);
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(box.width);
});
