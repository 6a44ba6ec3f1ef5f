import { emojiStyle } from "@/shared/richText/tokens";
import { type Layout, type Line, layOut } from "./layout";
import { type Look, type LookName, looks, PRINT, RIM, type ShapeName, shapes } from "./themes";

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
const PADDING = 56;
const INVITE = 170;
/** The tag doesn't lie quite straight. */
const TILT = -0.022;

/** Both fonts are loaded by then, or the first picture would be written in others. */
export async function fontsReady() {
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
  const painter = new Painter(context, looks[picture.look], width);
  const layout = painter.arrange(picture.message, height - 2 * safe - INVITE);
  const sheet = Math.max(260, layout.lines.length * layout.lineHeight + 2 * PADDING);
  const tagHeight = BAND + sheet + FOOT;
  const top = safe + (height - 2 * safe - INVITE - tagHeight) / 2;

  painter.drawPaper(height);
  context.save();
  context.translate(width / 2, top + tagHeight / 2);
  context.rotate(TILT);
  context.translate(MARGIN - width / 2, -tagHeight / 2);
  painter.drawTag(picture.heading, tagHeight, sheet);
  painter.drawMessage(layout, BAND + sheet / 2);
  context.restore();
  painter.drawInvite(picture, top + tagHeight + 46);
}

class Painter {
  private readonly context: CanvasRenderingContext2D;
  private readonly look: Look;
  private readonly width: number;
  private readonly tagWidth: number;

  constructor(context: CanvasRenderingContext2D, look: Look, width: number) {
    this.context = context;
    this.look = look;
    this.width = width;
    this.tagWidth = width - 2 * MARGIN;
  }

  /** The font of the message is the reader's own: any script may be in it. */
  arrange(message: string, height: number): Layout {
    const largest = emojiStyle(message) === "none" ? 84 : 220;
    const measure = (text: string, size: number) => {
      this.context.font = messageFont(size);
      return this.context.measureText(text).width;
    };
    const inside = { width: this.tagWidth - 2 * PADDING, height: height - BAND - FOOT - 2 * PADDING };
    return layOut(message, { ...inside, largest, smallest: 20 }, measure);
  }

  drawPaper(height: number) {
    this.context.fillStyle = this.look.paper;
    this.context.fillRect(0, 0, this.width, height);
    for (let y = 30; y < height; y += 60) {
      for (let x = 30; x < this.width; x += 60) this.rounded(x - 4, y - 4, 8, 8, 4, this.look.dot);
    }
  }

  drawTag(heading: string, height: number, sheet: number) {
    const { context, look, tagWidth: width } = this;
    // Print, rim, print: the die-cut of the app's stickers.
    this.rounded(-16, -16, width + 32, height + 32, 76, PRINT);
    this.rounded(-11, -11, width + 22, height + 22, 71, RIM);
    this.rounded(0, 0, width, height, 60, PRINT);
    this.rounded(STROKE, STROKE, width - 2 * STROKE, height - 2 * STROKE, 53, look.band);
    context.fillStyle = PRINT;
    context.fillRect(STROKE, BAND - STROKE, width - 2 * STROKE, sheet + 2 * STROKE);
    context.fillStyle = look.sheet;
    context.fillRect(STROKE, BAND, width - 2 * STROKE, sheet);
    context.fillStyle = PRINT;
    this.fittedText(heading, width / 2, BAND / 2, width - 120, 76);
  }

  drawMessage({ lines, size, lineHeight }: Layout, middle: number) {
    this.context.font = messageFont(size);
    this.context.textBaseline = "middle";
    const first = middle - ((lines.length - 1) * lineHeight) / 2;
    for (const [index, line] of lines.entries()) this.drawLine(line, first + index * lineHeight, size);
  }

  private drawLine(line: Line, y: number, size: number) {
    const { context, look, tagWidth } = this;
    const text = look.sheet === RIM ? PRINT : RIM;
    // Whole when it is one colour: the browser then orders mixed directions and joins letters itself.
    if (line.runs.every(({ kind }) => kind !== "link")) {
      context.fillStyle = text;
      context.textAlign = "center";
      context.fillText(line.runs.map((run) => run.text).join(""), tagWidth / 2, y);
      return;
    }
    context.textAlign = "left";
    let x = (tagWidth - line.width) / 2;
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

  drawInvite({ invite, address }: Picture, top: number) {
    const { context, look, width, tagWidth } = this;
    context.fillStyle = look.ink;
    this.fittedText(invite, width / 2, top + 36, tagWidth, 46);
    context.font = `600 38px ${BODY}`;
    const pill = Math.min(tagWidth, context.measureText(address).width + 76);
    this.rounded((width - pill) / 2 - 5, top + 79, pill + 10, 80, 40, PRINT);
    this.rounded((width - pill) / 2, top + 84, pill, 70, 35, "#ffd358");
    context.fillStyle = PRINT;
    context.fillText(address, width / 2, top + 120, pill - 50);
  }

  private fittedText(text: string, x: number, y: number, width: number, size: number) {
    const { context } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${size}px ${DISPLAY}, ${BODY}`;
    const natural = context.measureText(text).width;
    if (natural > width) context.font = `${(size * width) / natural}px ${DISPLAY}, ${BODY}`;
    context.fillText(text, x, y);
  }

  private rounded(x: number, y: number, width: number, height: number, radius: number, colour: string) {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
  }
}

function messageFont(size: number): string {
  return `600 ${size}px ${BODY}`;
}
