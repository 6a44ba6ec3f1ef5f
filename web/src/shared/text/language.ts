import { deviceStorage } from "../storage";

/** The languages of the app, each with its own name. Its words are in the folder that is named as its tag. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const STORAGE_KEY = "language";

/** The language chosen on this device; otherwise the first one of the browser's list that the app has. */
export function language(): Language {
  const wanted = [deviceStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

/** For dates: the browser's variant of the language, because countries write dates differently. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();
}

/**
 * Keeps the choice and reloads the page, because each screen loads its words only once. If storage is blocked, the
 * language stays the browser's.
 */
export function chooseLanguage(chosen: Language) {
  deviceStorage.setItem(STORAGE_KEY, chosen);
  window.location.reload();
}

/**
 * One part of the words, in the language in use. English comes with the code; the words of another language are in
 * files that only its readers load.
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
