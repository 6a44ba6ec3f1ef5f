/** The marks by which a text says in which direction it is read. Some of them turn even what stands beside the text. */
export const DIRECTION_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069";

const MARKS = new RegExp(`[${DIRECTION_MARKS}]`, "gu");

/**
 * A name without them, for where it stands beside words of ours: in a heading, a tab, a notification, a picture. The
 * letters of a language know their direction by themselves.
 */
export function withoutDirections(name: string): string {
  return name.replace(MARKS, "");
}
