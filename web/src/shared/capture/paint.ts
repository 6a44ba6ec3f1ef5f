import { emojiStyle } from "@/shared/richText/tokens";
import { type Layout, layOut, type TextLine } from "./layout";
import { type Look, type LookName, looks, PRINT, RIM, type ShapeName, shapes, WIDTH } from "./themes";

export type NotePicture = {
  message: string;
  /** What was answered to it: below it, on a sheet of its own. */
  answer?: string | undefined;
  /** The text on the band of the tag. */
  heading: string;
  /** The text below the tag. */
  invite: string;
  address: string;
  look: LookName;
  shape: ShapeName;
};

const DISPLAY = '"Bagel Fat One"';
/** The font for emoji, from the page's style: with another one they may have no colour. */
const EMOJI = '"Colour Emoji"';
const BODY = `${EMOJI}, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
const STROKE = 7;
const TAG_WIDTH = WIDTH - 2 * 76;
const BAND = 178;
const FOOT = 44;
const PADDING = 56;
const INVITE = 170;
/** The angle of the tag. */
const TILT = -0.022;

/** Loads both fonts. Otherwise the first picture would be painted with other fonts. */
export async function fontsReady() {
  const loading = [
    document.fonts.load(`80px ${DISPLAY}`, "Annon"),
    document.fonts.load(`80px ${EMOJI}`, "🦊"),
  ];
  await Promise.allSettled(loading);
}

export function paint(canvas: HTMLCanvasElement, picture: NotePicture) {
  const { height, safe } = shapes[picture.shape];
  canvas.width = WIDTH;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  const look = looks[picture.look];
  const sheets = sheetsOf(context, picture, height - 2 * safe - INVITE - BAND - FOOT);
  const sheet = sheets.reduce((sum, one) => sum + one.height, 0);
  const tagHeight = BAND + sheet + FOOT;
  const top = safe + (height - 2 * safe - INVITE - tagHeight) / 2;

  drawPaper(context, look, height);
  context.save();
  context.translate(WIDTH / 2, top + tagHeight / 2);
  context.rotate(TILT);
  context.translate(-TAG_WIDTH / 2, -tagHeight / 2);
  drawTag(context, look, picture.heading, tagHeight, sheet);
  let at = BAND;
  for (const { layout, height } of sheets) {
    if (at > BAND) drawFold(context, at);
    drawMessage(context, look, layout, at + height / 2);
    at += height;
  }
  context.restore();
  drawInvite(context, look, picture, top + tagHeight + 46);
}

type Context = CanvasRenderingContext2D;

type Sheet = { layout: Layout; height: number };

/** The sheets of the tag. With an answer the note is smaller, and the answer gets what it leaves. */
function sheetsOf(context: Context, { message, answer }: NotePicture, height: number): Sheet[] {
  if (answer === undefined) return [sheetOf(context, message, height, 84, 260)];
  const note = sheetOf(context, message, height * 0.45, 54, 180);
  return [note, sheetOf(context, answer, height - note.height, 76, 200)];
}

function sheetOf(context: Context, words: string, most: number, largest: number, least: number): Sheet {
  const layout = arrange(context, words, most, largest);
  return { layout, height: Math.max(least, layout.lines.length * layout.lineHeight + 2 * PADDING) };
}

/** The message is painted in a font of the system, because it can be in any script. */
function arrange(context: Context, message: string, height: number, largestText: number): Layout {
  const largest = emojiStyle(message) === "none" ? largestText : 220;
  const measure = (text: string, size: number) => {
    context.font = messageFont(size);
    return context.measureText(text).width;
  };
  const inside = { width: TAG_WIDTH - 2 * PADDING, height: height - 2 * PADDING };
  return layOut(message, { ...inside, largest, smallest: 20 }, measure);
}

function drawPaper(context: Context, look: Look, height: number) {
  context.fillStyle = look.paper;
  context.fillRect(0, 0, WIDTH, height);
  for (let y = 30; y < height; y += 60) {
    for (let x = 30; x < WIDTH; x += 60) rounded(context, x - 4, y - 4, 8, 8, 4, look.dot);
  }
}

function drawTag(context: Context, look: Look, heading: string, height: number, sheet: number) {
  const width = TAG_WIDTH;
  // The border that the app's stickers have: dark, light, dark.
  rounded(context, -16, -16, width + 32, height + 32, 76, PRINT);
  rounded(context, -11, -11, width + 22, height + 22, 71, RIM);
  rounded(context, 0, 0, width, height, 60, PRINT);
  rounded(context, STROKE, STROKE, width - 2 * STROKE, height - 2 * STROKE, 53, look.band);
  context.fillStyle = PRINT;
  context.fillRect(STROKE, BAND - STROKE, width - 2 * STROKE, sheet + 2 * STROKE);
  context.fillStyle = look.sheet;
  context.fillRect(STROKE, BAND, width - 2 * STROKE, sheet);
  context.fillStyle = PRINT;
  fittedText(context, heading, width / 2, BAND / 2, width - 120, 76);
}

/** The line between two sheets. */
function drawFold(context: Context, y: number) {
  context.fillStyle = PRINT;
  context.fillRect(STROKE, y - STROKE / 2, TAG_WIDTH - 2 * STROKE, STROKE);
}

function drawMessage(context: Context, look: Look, { lines, size, lineHeight }: Layout, middle: number) {
  context.font = messageFont(size);
  context.textBaseline = "middle";
  const first = middle - ((lines.length - 1) * lineHeight) / 2;
  for (const [index, line] of lines.entries())
    drawLine(context, look, line, first + index * lineHeight, size);
}

function drawLine(context: Context, look: Look, line: TextLine, y: number, size: number) {
  const text = look.sheet === RIM ? PRINT : RIM;
  // A line of one colour is painted as a whole: then the browser handles mixed directions and joined letters.
  if (line.runs.every(({ kind }) => kind !== "link")) {
    context.fillStyle = text;
    context.textAlign = "center";
    context.fillText(line.runs.map((run) => run.text).join(""), TAG_WIDTH / 2, y);
    return;
  }
  context.textAlign = "left";
  let x = (TAG_WIDTH - line.width) / 2;
  for (const run of line.runs) {
    const isLink = run.kind === "link";
    context.fillStyle = isLink ? look.link : text;
    context.direction = isLink ? "ltr" : "inherit";
    context.fillText(run.text, x, y);
    if (isLink) context.fillRect(x, y + size * 0.46, run.width, Math.max(2, size * 0.05));
    x += run.width;
  }
  context.direction = "inherit";
}

function drawInvite(context: Context, look: Look, { invite, address }: NotePicture, top: number) {
  context.fillStyle = look.ink;
  fittedText(context, invite, WIDTH / 2, top + 36, TAG_WIDTH, 46);
  context.font = `600 38px ${BODY}`;
  const pill = Math.min(TAG_WIDTH, context.measureText(address).width + 76);
  rounded(context, (WIDTH - pill) / 2 - 5, top + 79, pill + 10, 80, 40, PRINT);
  rounded(context, (WIDTH - pill) / 2, top + 84, pill, 70, 35, "#ffd358");
  context.fillStyle = PRINT;
  context.fillText(address, WIDTH / 2, top + 120, pill - 50);
}

function fittedText(context: Context, text: string, x: number, y: number, width: number, size: number) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `${size}px ${DISPLAY}, ${BODY}`;
  const natural = context.measureText(text).width;
  if (natural > width) context.font = `${(size * width) / natural}px ${DISPLAY}, ${BODY}`;
  context.fillText(text, x, y);
}

function rounded(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  colour: string,
) {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fill();
}

function messageFont(size: number): string {
  return `600 ${size}px ${BODY}`;
}
