import { expect, test } from "vitest";
import * as limit from "@/shared/contract/limits";
import { PALETTE } from "@/shared/contract/palette";
import { type ChatText, namesIn } from "./chatText";
import { languages } from "./language";

const files = import.meta.glob<Record<string, unknown>>("./*/*.ts", { eager: true });

/** Every text of a part with its place. A function that makes a text is called with samples. */
function sentences(part: unknown, place: string): [string, string][] {
  if (typeof part === "string") return [[place, part]];
  if (typeof part === "function") return sentences(part("SAMPLE", "SAMPLE"), place);
  return Object.entries(part as object).flatMap(([key, inner]) => sentences(inner, `${place}.${key}`));
}

/** All texts of a language. */
function wordsIn(language: string): [string, string][] {
  const own = Object.entries(files).filter(
    ([file]) => file.startsWith(`./${language}/`) && !file.endsWith("/numbers.ts"),
  );
  return own.flatMap(([file, part]) => sentences(part, file.slice(`./${language}/`.length)));
}

const english = wordsIn("en");
const tags = Object.keys(languages);

test.each(tags)("the words in %s are whole", (language) => {
  const texts = wordsIn(language);
  expect(texts.map(([place]) => place)).toEqual(english.map(([place]) => place));
  for (const [place, sentence] of texts) expect(sentence.trim(), place).not.toBe("");
  const gaps = (all: [string, string][]) =>
    all.map(([, sentence]) => sentence.split(/SAMPLE|\{wait\}/).length);
  expect(gaps(texts)).toEqual(gaps(english));
});

test.each(tags)("every member's emoji has a name of its own in %s", (language) => {
  const names = namesIn(files[`./${language}/chat.ts`]?.chat as ChatText);
  expect([...names.keys()]).toEqual(PALETTE);
  expect(new Set(names.values()).size).toBe(PALETTE.length);
});

const SEATS = limit.ROOM_MEMBERS;
const NOTE = [limit.NOTE_MIN, limit.NOTE_MAX];
const USERNAME = [limit.USERNAME_MIN, limit.USERNAME_MAX];
const LONG = limit.ROOM_LIFETIME_HOURS;
const SHORT = limit.ROOM_SHORT_LIFETIME_HOURS;
const TOKEN_HOURS = limit.TOKEN_LIFETIME_SECONDS / 3600;
const LINKS = [limit.CONFIRMATION_LIFETIME_SECONDS / 3600, limit.RESET_LIFETIME_SECONDS / 60];
const BATCH = limit.BATCH_SECONDS / 60;

/** The limits that the texts of a file name, in their order, without the texts of codes, which import their limits. */
const LIMITS: Record<string, number[]> = {
  app: [
    ...[...USERNAME, limit.SIGNUP_PASSWORD_MIN, BATCH, BATCH, SEATS, SEATS, SEATS, BATCH, BATCH],
    ...[SEATS, limit.ROOM_NAME_MIN, limit.ROOM_NAME_MAX, SEATS, SEATS, SEATS, SHORT, LONG],
  ],
  chat: [SEATS, SEATS],
  reading: [
    ...[...NOTE, SEATS, LONG, SHORT, TOKEN_HOURS, ...LINKS, TOKEN_HOURS, TOKEN_HOURS, TOKEN_HOURS, BATCH],
    ...[LONG, SHORT, ...USERNAME, limit.NOTE_MAX, SEATS, LONG, SHORT, SEATS, SEATS],
  ],
  site: [SEATS, ...NOTE, SEATS, SEATS, SEATS, SEATS + 1, SHORT, LONG, SEATS, SEATS, SHORT, LONG, SEATS],
};

type Numbers = typeof import("./en/numbers").numbers;

test.each(tags)("the numbers in the words in %s are the limits", (language) => {
  const numbers = files[`./${language}/numbers.ts`]?.numbers as Numbers | undefined;
  if (!numbers) throw new Error(`${language}/numbers.ts is missing, which has the names of numbers`);
  const { names, endings } = numbers;
  const inWords = names.map((name) => `(?<!\\p{L})${name}(?=(?:${endings})?(?!\\p{L}))`);
  const number = RegExp(["\\d+", ...inWords].join("|"), "giu");
  const valueIn = (word: string) => Number(word) || names.indexOf(word.toLowerCase()) + 10;
  for (const [file, limits] of Object.entries(LIMITS)) {
    const texts = wordsIn(language).filter(([at]) => at.startsWith(`${file}.ts`) && !at.includes(".codes."));
    const found = texts.flatMap(
      ([at, words]) => words.match(number)?.map((word) => `${at}: ${valueIn(word)}`) ?? [],
    );
    expect(found).toEqual(limits.map((value, nth) => found[nth]?.replace(/\d+$/, `${value}`)));
  }
});

/** Words that read like a careful translation. Nobody says them aloud. */
const STIFF: Record<string, RegExp> = {
  en: /\b(whoever|somebody|everybody|anybody|for good|once more|by itself|at once|would rather|set anew)\b/i,
  de: /\b(zehn|drei) Emoji\b|"Knall"|\b(ab|auf)(ge)?schl(ieß|oss)en\b|noch einmal|Netzwerkadresse|schon wieder/i,
};

test.each(Object.entries(STIFF))("the words in %s are words that people say aloud", (language, stiff) => {
  expect(wordsIn(language).filter(([, sentence]) => stiff.test(sentence))).toEqual([]);
});

/** The product's name, and terms that the specification writes with more capitals. */
const AS_THEY_ARE = [
  "Annon",
  "Anonymous Message",
  "Change Password",
  "Content-Type",
  "Create Group",
  "Delete Account",
  "Error Sending Image",
  "Invalid Email",
  "Invalid Email Address",
  "Link Copied to Clipboard",
  "Log Out",
  "Message Copied to Clipboard",
  "My Groups",
  "My Inbox",
  "Open Group",
  "Password Changed!",
  "Sign Up",
  "Unexpected Application Error!",
  "User Account Created",
  "User Logged In",
];

/** These texts are not labels: names of members, suggested names of groups, and the texts of the reading pages. */
const NO_LABELS = /memberNames|fancyNames|^reading/;

test("buttons, menus and headings are cased like sentences: one capital, at the start", () => {
  const labels = english.filter(([at, words]) => words.split(" ").length <= 5 && !NO_LABELS.test(at));
  const longestFirst = AS_THEY_ARE.toSorted((one, other) => other.length - one.length);
  const odd = labels.filter(([, words]) => {
    const rest = longestFirst.reduce((left, term) => left.replace(term, "…"), words);
    return /[^.!?:…] \p{Lu}\p{Ll}/u.test(rest);
  });
  expect(odd).toEqual([]);
  for (const term of AS_THEY_ARE) expect(labels.join("\n"), term).toContain(term);
});
