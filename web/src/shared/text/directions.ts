import { DIRECTION_MARKS, FORCING_MARKS } from "@/shared/contract/names";

/** Some of these marks reverse even text outside the name. */
const MARKS = new RegExp(`[${DIRECTION_MARKS}]`, "gu");
const FORCING = new RegExp(`[${FORCING_MARKS}]`, "gu");

/**
 * A name without the marks, for places where it is beside the app's own words: headings, tabs, notifications, pictures.
 * Letters have their direction without marks.
 */
export function withoutDirections(name: string): string {
  return name.replace(MARKS, "");
}

/**
 * Words without the marks that force a direction on letters. No language needs these, and they can make a sentence read
 * backwards. The marks that Arabic and Hebrew texts use stay.
 */
export function withoutOverrides(words: string): string {
  return words.replace(FORCING, "");
}
