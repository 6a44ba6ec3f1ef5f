import { deviceStorage } from "../storage";

/** The languages the app speaks, each under its own name. The words of each are in the folder of its tag. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const STORAGE_KEY = "language";

/** The language chosen on this device, else the first one of the browser's that the app speaks. */
export function language(): Language {
  const wanted = [deviceStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

/** For dates: the browser's own variant of the language, which knows whether the day or the month goes first. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();
}

/**
 * Keeps the choice and starts over in it: every screen's words are loaded with the screen. Where nothing can be kept, it
 * stays the browser's.
 */
export function chooseLanguage(chosen: Language) {
  deviceStorage.setItem(STORAGE_KEY, chosen);
  window.location.reload();
}

/**
 * One part of the words, in the language in use. English comes with the code; what another language says is in a file
 * that is loaded only by those who read it.
 */
export async function inUse<Words>(
  english: Words,
  others: Record<string, () => Promise<Words>>,
): Promise<Words> {
  const file = Object.keys(others).find((name) => name.startsWith(`./${language()}/`));
  return (await others[file ?? ""]?.()) ?? english;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}
