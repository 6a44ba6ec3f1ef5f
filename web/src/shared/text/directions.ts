import { DIRECTION_MARKS } from "@/shared/contract/names";

/** Some of them turn even what stands beside the text. */
const MARKS = new RegExp(`[${DIRECTION_MARKS}]`, "gu");

/**
 * A name without them, for where it stands beside words of ours: in a heading, a tab, a notification, a picture. The
 * letters of a language know their direction by themselves.
 */
export function withoutDirections(name: string): string {
  return name.replace(MARKS, "");
}

/**
 * Words without the marks that force their letters one way, which no language needs and which would have a sentence read
 * backwards. What Arabic and Hebrew are written with stays.
 */
export function withoutOverrides(words: string): string {
  return words.replace(/[\u202d\u202e]/gu, "");
}
