import { readCookies, writeCookie } from "../session/cookies";

/** The languages of the app, each with its own name. Its words are in the folder that is named as its tag. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** The server reads it, and sends pages in this language. */
const COOKIE = "language";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The language of the server's page. A page that was kept for use without a network has none: then the language that
 * was chosen on this device, or the first one of the browser's list that the app has.
 */
export function language(): Language {
  const wanted = import.meta.env.SSR
    ? [process.env.ANNON_LANGUAGE ?? ""]
    : [drawnIn(), ...readCookies(COOKIE), ...navigator.languages];
  return wanted.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

/** The language of a page that the server has drawn. */
function drawnIn(): string {
  const { dataset, lang } = document.documentElement;
  return dataset.drawn === undefined ? "" : lang;
}

/** For dates: the browser's variant of the language, because countries write dates differently. */
export function locale(): string {
  if (import.meta.env.SSR) return language();
  return navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();
}

/**
 * Keeps the choice and reloads the page, because each screen loads its words only once. If cookies are blocked, the
 * language stays the browser's.
 */
export function chooseLanguage(chosen: Language) {
  writeCookie(COOKIE, chosen, YEAR_SECONDS);
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
