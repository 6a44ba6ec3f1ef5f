import { graphemes, isEmoji, tokens } from "@/shared/richText/tokens";
import { withoutDirections } from "@/shared/text/directions";

/** The width of a text at a font size. It comes from the canvas; a test gives its own function. */
export type Measure = (text: string, size: number) => number;

export type Run = { kind: "text" | "link" | "emoji"; text: string; width: number };
export type TextLine = { runs: Run[]; width: number };
export type Layout = { size: number; lineHeight: number; lines: TextLine[] };

type Box = { width: number; height: number; largest: number; smallest: number };

const LINE_HEIGHT = 1.32;
/** Down to this size text shrinks so that its longest word fits in a line. At smaller sizes long words are broken. */
const LARGE_ENOUGH = 50;
const CUT = "…";

/**
 * The largest font size at which the message fits into the box, and its lines at that size. The text never leaves the
 * box: if it is too long at the smallest size, its empty lines are removed, then its end.
 */
export function layOut(message: string, box: Box, measure: Measure): Layout {
  const broken = (words: string, size: number) => brokenUp(words, size, box.width, measure);
  const mostLines = (size: number) => Math.floor(box.height / (size * LINE_HEIGHT));
  const isLowEnough = (words: string, size: number) => broken(words, size).length <= mostLines(size);
  const isWhole = (word: string, size: number) => measure(word, size) <= box.width;

  // A picture can't isolate the direction of its words, and each of its lines is a paragraph of its own.
  const lineFeeds = withoutDirections(message).replace(/\r\n?/gu, "\n");
  const oneEmpty = lineFeeds.replace(/\n(?:[^\S\n]*\n){2,}/gu, "\n\n");
  const noneEmpty = lineFeeds.replace(/\n(?:[^\S\n]*\n)+/gu, "\n");
  const words = [lineFeeds, oneEmpty].find((tried) => isLowEnough(tried, box.smallest)) ?? noneEmpty;
  const unbroken = tokens(words).flatMap(({ text }) => text.split(/\s+/u));

  let size = box.smallest;
  let tooLarge = box.largest + 1;
  while (size + 1 < tooLarge) {
    const middle = Math.floor((size + tooLarge) / 2);
    const splitsNone = middle <= LARGE_ENOUGH || unbroken.every((word) => isWhole(word, middle));
    if (splitsNone && isLowEnough(words, middle)) size = middle;
    else tooLarge = middle;
  }
  const lines = broken(words, size);
  const most = mostLines(size);
  return {
    size,
    lineHeight: size * LINE_HEIGHT,
    lines: lines.length > most ? cutAfter(lines.slice(0, most), size, box.width, measure) : lines,
  };
}

/** Shortens the last line to put a sign at its end that there was more. */
function cutAfter(lines: TextLine[], size: number, width: number, measure: Measure): TextLine[] {
  const dots: Run = { kind: "text", text: CUT, width: measure(CUT, size) };
  const signs = splitUp(lines.at(-1)?.runs ?? [], size, measure);
  while (signs.length > 0 && widthOf(signs) + dots.width > width) signs.pop();
  return [...lines.slice(0, -1), lineOf([...signs, dots])];
}

function widthOf(runs: Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}

/** Breaks text at blanks, and inside words that are longer than a line. A line feed in the text ends a line. */
export function brokenUp(message: string, size: number, width: number, measure: Measure): TextLine[] {
  return message.split(/\r\n?|\n/u).flatMap((paragraph) => {
    const lines: TextLine[] = [];
    let runs: Run[] = [];

    const endLine = () => {
      while (runs.at(-1)?.text.trim() === "") runs.pop();
      lines.push(lineOf(runs));
      runs = [];
    };

    for (const word of wordsOf(paragraph)) {
      const parts = word.map((part) => ({ ...part, width: measure(part.text, size) }));
      const isBlank = parts[0]?.text.trim() === "";
      const isOver = (added: number) => runs.length > 0 && widthOf(runs) + added > width && !isBlank;
      if (isOver(widthOf(parts))) endLine();
      if (isBlank && runs.length === 0) continue;
      for (const part of widthOf(parts) > width ? splitUp(parts, size, measure) : parts) {
        if (isOver(part.width)) endLine();
        runs.push(part);
      }
    }
    endLine();
    return lines;
  });
}

type WordPart = Pick<Run, "kind" | "text">;

/** A paragraph as blanks and words; a word may hold a link. A row of emoji may break between any two. */
function wordsOf(paragraph: string): WordPart[][] {
  const words: WordPart[][] = [];
  let wasBlank = true;
  for (const token of tokens(paragraph)) {
    for (const text of graphemes(token.text)) {
      const kind = isEmoji(text) ? "emoji" : token.kind;
      const isBlank = text.trim() === "";
      const word = words.at(-1);
      const last = word?.at(-1);
      if (!last || isBlank !== wasBlank || kind === "emoji" || last.kind === "emoji")
        words.push([{ kind, text }]);
      else if (last.kind === kind) last.text += text;
      else word?.push({ kind, text });
      wasBlank = isBlank;
    }
  }
  return words;
}

function splitUp(runs: Run[], size: number, measure: Measure): Run[] {
  return runs.flatMap(({ kind, text }) =>
    graphemes(text).map((grapheme) => ({ kind, text: grapheme, width: measure(grapheme, size) })),
  );
}

/** A line of these runs. Neighbouring runs of the same kind become one, except emoji. */
function lineOf(all: Run[]): TextLine {
  const runs: Run[] = [];
  for (const run of all) {
    const last = runs.at(-1);
    if (last && last.kind === run.kind && run.kind !== "emoji") {
      last.text += run.text;
      last.width += run.width;
    } else runs.push({ ...run });
  }
  return { runs, width: widthOf(all) };
}
