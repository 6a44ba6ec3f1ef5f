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

/** An icon as `Icon` draws it; how the line looks the styles of the early screen say. */
export function icon(name: keyof typeof DRAWINGS, size = 20): SVGElement {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", DRAWINGS[name]);
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.style.width = `${size / 16}rem`;
  drawing.append(path);
  return drawing;
}

const DRAWINGS = { back, check, clock, more, picture, send, smile };

/** A face as `EmojiDisc` draws it; one that isn't known yet has no colour. */
export function disc(face: string, more = ""): HTMLElement {
  const tone = face === "" ? undefined : String(emojiTone(face));
  return element("span", { class: `${discs.disc} ${more}`, "data-size": "s", "data-tone": tone }, face);
}
