import { emojiStyle } from "@/shared/richText/tokens";
import { type Layout, type Line, layOut } from "./layout";
import { type Look, type LookName, looks, type ShapeName, shapes } from "./themes";

export type Picture = {
  message: string;
  /** Printed on the band. */
  heading: string;
  /** Below the tag: what to do, and where. */
  invite: string;
  address: string;
  look: LookName;
  shape: ShapeName;
};

const DISPLAY = '"Bagel Fat One"';
/** Of the page's own style: without it an emoji may have no colour. */
const EMOJI = '"Colour Emoji"';
const BODY = `${EMOJI}, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
const STROKE = 7;
const MARGIN = 76;
const BAND = 178;
const FOOT = 44;
const PADDING = 68;
/** Around a note that would be small otherwise. */
const TIGHT_PADDING = 36;
const SMALL = 34;
const INVITE = 170;
/** The tag doesn't lie quite straight. */
const TILT = -0.022;

/** Both faces are loaded by then, or the first picture would be written in others. */
export async function facesReady() {
  const loading = [
    document.fonts.load(`80px ${DISPLAY}`, "Annon"),
    document.fonts.load(`80px ${EMOJI}`, "🦊"),
  ];
  await Promise.allSettled(loading);
}

export function paint(canvas: HTMLCanvasElement, picture: Picture) {
  const { width, height, safe } = shapes[picture.shape];
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  const look = looks[picture.look];
  const tagWidth = width - 2 * MARGIN;
  const { layout, padding } = arrange(context, picture.message, tagWidth, height - 2 * safe - INVITE);
  const sheet = Math.max(260, layout.lines.length * layout.lineHeight + 2 * padding);
  const tagHeight = BAND + sheet + FOOT;
  const top = safe + (height - 2 * safe - INVITE - tagHeight) / 2;

  drawPaper(context, look, width, height);
  context.save();
  context.translate(width / 2, top + tagHeight / 2);
  context.rotate(TILT);
  context.translate(-tagWidth / 2, -tagHeight / 2);
  drawTag(context, look, picture.heading, tagWidth, tagHeight, sheet);
  drawMessage(context, look, layout, tagWidth, BAND + sheet / 2);
  context.restore();
  drawInvite(context, look, picture, width, top + tagHeight + 46);
}

/** The face of the message is the reader's own: any script may be in it. */
function arrange(
  context: CanvasRenderingContext2D,
  message: string,
  width: number,
  height: number,
): { layout: Layout; padding: number } {
  const largest = emojiStyle(message) === "none" ? 84 : 220;
  const measure = (text: string, size: number) => {
    context.font = messageFont(size);
    return context.measureText(text).width;
  };
  const within = (padding: number) => {
    const inside = { width: width - 2 * padding, height: height - BAND - FOOT - 2 * padding };
    return { layout: layOut(message, { ...inside, largest, smallest: 20 }, measure), padding };
  };
  const roomy = within(PADDING);
  return roomy.layout.size < SMALL ? within(TIGHT_PADDING) : roomy;
}

function messageFont(size: number): string {
  return `600 ${size}px ${BODY}`;
}

function drawPaper(context: CanvasRenderingContext2D, look: Look, width: number, height: number) {
  context.fillStyle = look.paper;
  context.fillRect(0, 0, width, height);
  context.fillStyle = look.dot;
  for (let y = 30; y < height; y += 60) {
    for (let x = 30; x < width; x += 60) {
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

function drawTag(
  context: CanvasRenderingContext2D,
  look: Look,
  heading: string,
  width: number,
  height: number,
  sheet: number,
) {
  // Print, rim, print: the die-cut of the app's stickers.
  rounded(context, -16, -16, width + 32, height + 32, 76, look.print);
  rounded(context, -11, -11, width + 22, height + 22, 71, "#fffaf0");
  rounded(context, 0, 0, width, height, 60, look.print);
  rounded(context, STROKE, STROKE, width - 2 * STROKE, height - 2 * STROKE, 53, look.band);
  context.fillStyle = look.print;
  context.fillRect(STROKE, BAND - STROKE, width - 2 * STROKE, sheet + 2 * STROKE);
  context.fillStyle = look.sheet;
  context.fillRect(STROKE, BAND, width - 2 * STROKE, sheet);
  context.fillStyle = look.print;
  fittedText(context, heading, { x: width / 2, y: BAND / 2, width: width - 120, size: 76 });
}

function drawMessage(
  context: CanvasRenderingContext2D,
  look: Look,
  layout: Layout,
  width: number,
  middle: number,
) {
  const isDark = look.sheet !== "#fffaf0";
  context.font = messageFont(layout.size);
  context.textAlign = "left";
  context.textBaseline = "middle";
  const first = middle - ((layout.lines.length - 1) * layout.lineHeight) / 2;
  layout.lines.forEach((line, index) => {
    drawLine(context, line, width, first + index * layout.lineHeight, {
      text: isDark ? "#fffaf0" : look.print,
      link: look.link,
      size: layout.size,
    });
  });
}

type Ink = { text: string; link: string; size: number };

function drawLine(context: CanvasRenderingContext2D, line: Line, width: number, y: number, ink: Ink) {
  const words = line.runs.map(({ text }) => text).join("");
  // Whole when it is one colour: the browser then orders mixed directions and joins letters itself.
  if (line.runs.every(({ kind }) => kind !== "link")) {
    context.fillStyle = ink.text;
    context.textAlign = "center";
    context.fillText(words, width / 2, y);
    context.textAlign = "left";
    return;
  }
  let x = (width - line.width) / 2;
  for (const run of line.runs) {
    context.fillStyle = run.kind === "link" ? ink.link : ink.text;
    context.direction = run.kind === "link" ? "ltr" : "inherit";
    context.fillText(run.text, x, y);
    if (run.kind === "link")
      context.fillRect(x, y + ink.size * 0.46, run.width, Math.max(2, ink.size * 0.05));
    x += run.width;
  }
  context.direction = "inherit";
}

function drawInvite(
  context: CanvasRenderingContext2D,
  look: Look,
  picture: Picture,
  width: number,
  top: number,
) {
  context.fillStyle = look.ink;
  fittedText(context, picture.invite, { x: width / 2, y: top + 36, width: width - 2 * MARGIN, size: 46 });
  context.font = `600 38px ${BODY}`;
  const pill = Math.min(width - 2 * MARGIN, context.measureText(picture.address).width + 76);
  rounded(context, (width - pill) / 2 - 5, top + 79, pill + 10, 80, 40, look.print);
  rounded(context, (width - pill) / 2, top + 84, pill, 70, 35, "#ffd358");
  context.fillStyle = look.print;
  context.fillText(picture.address, width / 2, top + 120, pill - 50);
}

type Place = { x: number; y: number; width: number; size: number };

function fittedText(context: CanvasRenderingContext2D, text: string, { x, y, width, size }: Place) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `${size}px ${DISPLAY}, ${BODY}`;
  const natural = context.measureText(text).width;
  if (natural > width) context.font = `${(size * width) / natural}px ${DISPLAY}, ${BODY}`;
  context.fillText(text, x, y);
}

function rounded(
  context: CanvasRenderingContext2D,
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

export function asFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(new File([blob], name, { type: "image/png" }));
      else reject(new Error("the picture came out empty"));
    }, "image/png");
  });
}
