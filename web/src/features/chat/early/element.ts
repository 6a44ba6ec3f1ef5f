import { back, check, clock, more, picture, send, smile } from "@/shared/ui/drawings";
import discs from "@/shared/ui/EmojiDisc.module.css";
import { emojiTone } from "@/shared/ui/emojiTone";

type Attributes = Record<string, string | false | undefined>;

/** An element; what is false or undefined is left out, and words are words, whatever is in them. */
export function element(
  tag: string,
  attributes: Attributes,
  ...inside: (Node | string | undefined)[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...inside.filter((part) => part !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon as `Icon` draws it. */
export function icon(name: keyof typeof DRAWINGS, size = 20): SVGElement {
  const drawing = document.createElementNS(SVG, "svg");
  const edge = `${size / 16}rem`;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", DRAWINGS[name]);
  for (const [key, value] of Object.entries({
    fill: "none",
    height: edge,
    stroke: "currentColor",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "stroke-width": "2.25",
    viewBox: "0 0 24 24",
    width: edge,
  })) {
    drawing.setAttribute(key, value);
  }
  drawing.append(path);
  return drawing;
}

const DRAWINGS = { back, check, clock, more, picture, send, smile };

/** A face as `EmojiDisc` draws it; one that isn't known yet has no colour. */
export function disc(face: string, more = ""): HTMLElement {
  const tone = face === "" ? undefined : String(emojiTone(face));
  return element("span", { class: `${discs.disc} ${more}`, "data-size": "s", "data-tone": tone }, face);
}
