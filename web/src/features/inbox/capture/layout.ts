import { graphemes, isEmoji, tokens } from "@/shared/richText/tokens";
import { withoutDirections } from "@/shared/text/directions";

/** How wide a piece of text is at a size. The canvas knows; a test has its own idea. */
export type Measure = (text: string, size: number) => number;

export type Run = { kind: "text" | "link" | "emoji"; text: string; width: number };
export type Line = { runs: Run[]; width: number };
export type Layout = { size: number; lineHeight: number; lines: Line[] };

type Box = { width: number; height: number; largest: number; smallest: number };

const LINE_HEIGHT = 1.32;
/** Above it, text shrinks to keep its longest word whole; below, a word that is longer than a line breaks inside. */
const LARGE_ENOUGH = 50;
const CUT = "…";

/**
 * The largest size at which the message fits the box, and its lines at that size. Nothing ever stands out of the box:
 * what is too long at the smallest size loses its empty lines, then its end.
 */
export function layOut(message: string, box: Box, measure: Measure): Layout {
  // A picture goes where nothing keeps its words apart from others, and a line is a paragraph of its own in it.
  const lineFeeds = withoutDirections(message).replace(/\r\n?/gu, "\n");
  const oneEmpty = lineFeeds.replace(/\n(?:[^\S\n]*\n){2,}/gu, "\n\n");
  const noneEmpty = lineFeeds.replace(/\n(?:[^\S\n]*\n)+/gu, "\n");
  const words =
    [lineFeeds, oneEmpty].find((tried) => isLowEnough(tried, box.smallest, box, measure)) ?? noneEmpty;

  let low = box.smallest;
  let high = box.largest;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(words, middle, box, measure)) low = middle;
    else high = middle - 1;
  }
  const lines = brokenUp(words, low, box.width, measure);
  const most = mostLines(low, box);
  return {
    size: low,
    lineHeight: low * LINE_HEIGHT,
    lines: lines.length > most ? cutAfter(lines.slice(0, most), low, box.width, measure) : lines,
  };
}

function fits(message: string, size: number, box: Box, measure: Measure): boolean {
  return (
    isLowEnough(message, size, box, measure) &&
    (size <= LARGE_ENOUGH || !splitsAWord(message, size, box.width, measure))
  );
}

function isLowEnough(message: string, size: number, box: Box, measure: Measure): boolean {
  return brokenUp(message, size, box.width, measure).length <= mostLines(size, box);
}

function mostLines(size: number, box: Box): number {
  return Math.floor(box.height / (size * LINE_HEIGHT));
}

function splitsAWord(message: string, size: number, width: number, measure: Measure): boolean {
  return tokens(message).some(({ text }) => text.split(/\s+/u).some((word) => measure(word, size) > width));
}

/** Says at the end of the last line that there was more; the line gives up as much as that takes. */
function cutAfter(lines: Line[], size: number, width: number, measure: Measure): Line[] {
  const dots: Run = { kind: "text", text: CUT, width: measure(CUT, size) };
  const signs = splitUp(lines.at(-1)?.runs ?? [], size, measure);
  while (signs.length > 0 && widthOf(signs) + dots.width > width) signs.pop();
  const runs = joined([...signs, dots]);
  return [...lines.slice(0, -1), { runs, width: widthOf(runs) }];
}

function widthOf(runs: Run[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}

/** Breaks at blanks, and inside what is longer than a line. A line feed of the sender's ends a line. */
export function brokenUp(message: string, size: number, width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  for (const paragraph of message.split(/\r\n?|\n/u)) {
    lines.push(...paragraphLines(paragraph, size, width, measure));
  }
  return lines;
}

function paragraphLines(paragraph: string, size: number, width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  let runs: Run[] = [];
  let filled = 0;

  const endLine = () => {
    while (runs.at(-1)?.text.trim() === "") runs.pop();
    lines.push({ runs: joined(runs), width: widthOf(runs) });
    runs = [];
    filled = 0;
  };

  for (const word of wordsOf(paragraph)) {
    const pieces = word.map(({ kind, text }) => ({ kind, text, width: measure(text, size) }));
    const wordWidth = widthOf(pieces);
    const isBlank = word.every(({ text }) => text.trim() === "");
    if (filled > 0 && filled + wordWidth > width && !isBlank) endLine();
    if (isBlank && filled === 0) continue;
    for (const piece of wordWidth > width ? splitUp(pieces, size, measure) : pieces) {
      if (filled > 0 && filled + piece.width > width && !isBlank) endLine();
      runs.push(piece);
      filled += piece.width;
    }
  }
  endLine();
  return lines;
}

type Piece = Pick<Run, "kind" | "text">;

/** A paragraph as blanks and words; a word may hold a link and an emoji. */
function wordsOf(paragraph: string): Piece[][] {
  const words: Piece[][] = [];
  let blank = true;
  for (const piece of tokens(paragraph).flatMap(({ kind, text }) => piecesOf(kind, text))) {
    const isBlank = piece.text.trim() === "";
    const last = words.at(-1);
    // A row of emoji may break between any two.
    if (last && isBlank === blank && piece.kind !== "emoji" && last.at(-1)?.kind !== "emoji")
      last.push(piece);
    else words.push([piece]);
    blank = isBlank;
  }
  return words;
}

function piecesOf(kind: "text" | "link", text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const grapheme of graphemes(text)) {
    const pieceKind = isEmoji(grapheme) ? "emoji" : kind;
    const last = pieces.at(-1);
    const joins = last && last.kind === pieceKind && pieceKind !== "emoji";
    if (joins && (last.text.trim() === "") === (grapheme.trim() === "")) last.text += grapheme;
    else pieces.push({ kind: pieceKind, text: grapheme });
  }
  return pieces;
}

function splitUp(pieces: Run[], size: number, measure: Measure): Run[] {
  return pieces.flatMap(({ kind, text }) =>
    graphemes(text).map((grapheme) => ({ kind, text: grapheme, width: measure(grapheme, size) })),
  );
}

function joined(runs: Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last && last.kind === run.kind && run.kind !== "emoji") {
      last.text += run.text;
      last.width += run.width;
    } else merged.push({ ...run });
  }
  return merged;
}
