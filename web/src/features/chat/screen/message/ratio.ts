import type { Picture } from "../../model/chat";

/** Beyond these a picture is shown cut: a banner would be a line, a tower a screen high. */
const WIDEST = 2.4;
const TALLEST = 0.56;
const UNKNOWN = 4 / 3;

/** How wide a picture's box is for its height, before anything of the picture is there. */
export function ratioOf({ width, height }: Picture): number {
  if (width <= 0 || height <= 0) return UNKNOWN;
  return Math.min(WIDEST, Math.max(TALLEST, width / height));
}
