import { graphemes, isEmoji, tokens } from "@/shared/richText/tokens";

/** How wide a piece of text is at a size. The canvas knows; a test has its own idea. */
export type Measure = (text: string, size: number) => number;

export type Run = { kind: "text" | "link" | "emoji"; text: string; width: number };
export type Line = { runs: Run[]; width: number };
export type Layout = { size: number; lineHeight: number; lines: Line[] };

type Box = { width: number; height: number; largest: number; smallest: number };

const LINE_HEIGHT = 1.32;
const LARGE_ENOUGH = 50;

/** The largest size at which the message fits the box, and its lines at that size. */
export function layOut(message: string, box: Box, measure: Measure): Layout {
  let low = box.smallest;
  let high = box.largest;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(message, middle, box, measure)) low = middle;
    else high = middle - 1;
  }
  return { size: low, lineHeight: low * LINE_HEIGHT, lines: brokenUp(message, low, box.width, measure) };
}

function fits(message: string, size: number, box: Box, measure: Measure): boolean {
  const lines = brokenUp(message, size, box.width, measure);
  return lines.length * size * LINE_HEIGHT <= box.height && !splitsAWord(message, size, box.width, measure);
}

/** Text shrinks to keep a word whole, as far as it goes; a link, which is long by nature, only while it stays large. */
function splitsAWord(message: string, size: number, width: number, measure: Measure): boolean {
  return tokens(message).some(({ kind, text }) => {
    if (kind === "link" && size <= LARGE_ENOUGH) return false;
    return text.split(/\s+/u).some((word) => measure(word, size) > width);
  });
}

/** Breaks at blanks, and inside what is longer than a line. A line feed of the sender's ends a line. */
export function brokenUp(message: string, size: number, width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  for (const paragraph of message.replace(/\r\n?/gu, "\n").split("\n")) {
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
    lines.push({ runs: joined(runs), width: runs.reduce((sum, run) => sum + run.width, 0) });
    runs = [];
    filled = 0;
  };

  for (const word of wordsOf(paragraph)) {
    const pieces = word.map(({ kind, text }) => ({ kind, text, width: measure(text, size) }));
    const wordWidth = pieces.reduce((sum, piece) => sum + piece.width, 0);
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
  const kept: Run[] = [];
  for (const run of runs) {
    const last = kept.at(-1);
    if (last && last.kind === run.kind && run.kind !== "emoji") {
      last.text += run.text;
      last.width += run.width;
    } else kept.push({ ...run });
  }
  return kept;
}
