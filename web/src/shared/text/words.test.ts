import { expect, test, vi } from "vitest";
import * as limits from "@/shared/contract/limits";
import { PALETTE, UNKNOWN_MEMBER } from "@/shared/contract/palette";
import { type ChatText, namesIn } from "./chatText";
import { site } from "./en/site";
import { languages } from "./language";

type Words = Record<string, unknown>;
const files = import.meta.glob<Words>("./*/*.ts", { eager: true });

/** Every text of a part with its place. A function that makes a text is called with samples. */
function sentences(part: unknown, place: string): [string, string][] {
  if (typeof part === "string") return [[place, part]];
  if (typeof part === "function") return sentences(part("SAMPLE", "SAMPLE"), place);
  return Object.entries(part as object).flatMap(([key, inner]) => sentences(inner, `${place}.${key}`));
}

/** All texts of a language. */
function wordsIn(language: string, from = files): [string, string][] {
  const own = Object.entries(from).filter(([file]) => file.startsWith(`./${language}/`));
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

test("as many emoji are drawn on the landing page as a group has seats", () => {
  expect(site.landing.rooms.seats).toHaveLength(limits.ROOM_MEMBERS);
});

test.each(tags)("every member's emoji has a name of its own in %s", (language) => {
  const names = namesIn(files[`./${language}/chat.ts`]?.chat as ChatText);
  expect([...names.keys()]).toEqual([...PALETTE, UNKNOWN_MEMBER]);
  expect(new Set(names.values()).size).toBe(PALETTE.length + 1);
});

/** These have digits that are no limits. (A page of a list has at least 1 entry.) */
const NO_LIMITS = /UTF-8|b(ase)?64|argon2id|\b1 (to|und|bis)/gi;

test.each(tags)("every number in the words in %s is a limit", async (language) => {
  vi.resetModules();
  vi.doMock("@/shared/contract/limits", () => doubled(limits));
  const loaded = Object.entries(import.meta.glob<Words>("./*/*.ts")).map(async ([file, load]) => [
    file,
    await load(),
  ]);
  const others = wordsIn(language, Object.fromEntries(await Promise.all(loaded)));

  const { seats, seatsAndOne } = files[`./${language}/numbers.ts`] as { seats: string; seatsAndOne: string };
  const number = RegExp(`\\d+|(?<!\\p{L})(${seats}|${seatsAndOne})`, "giu");
  const numbersIn = (sentence = "") => sentence.replaceAll(NO_LIMITS, "").match(number) ?? [];
  for (const [at, [place, sentence]] of wordsIn(language).entries()) {
    if (place.startsWith("emoji.ts")) continue;
    const now = numbersIn(sentence);
    const then = numbersIn(others[at]?.[1]);
    expect(then, place).toHaveLength(now.length);
    expect(
      now.filter((said, nth) => said === then[nth]),
      place,
    ).toEqual([]);
  }
});

/** Every limit, twice as high. */
function doubled(all: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value * 2]));
}

/** Words that read like a careful translation. Nobody says them aloud. */
const STIFF: Record<string, RegExp> = {
  en: /\b(whoever|somebody|everybody|anybody|for good|once more|by itself|at once|would rather|set anew)\b/i,
  de: /\b(zehn|drei) Emoji\b|"Knall"|\b(ab|auf)(ge)?schl(ieß|oss)en\b|noch einmal|Netzwerkadresse|schon wieder/i,
};

test.each(Object.entries(STIFF))("the words in %s are words that people say aloud", (language, stiff) => {
  expect(wordsIn(language).filter(([, sentence]) => stiff.test(sentence))).toEqual([]);
});

/** What only people without an account read, and owners of notes: there a note is called so, and nothing else. */
const OF_NOTES = /^(note|inbox|shield|work|answers)\.ts/;

test("a note has one name: a message is what members of a group or a conversation send", () => {
  const others = english.filter(
    ([place, sentence]) => OF_NOTES.test(place) && /\bmessages?\b/i.test(sentence),
  );
  // What the specification says.
  expect(others.map(([, sentence]) => sentence)).toEqual(["Anonymous Message Sent to SAMPLE"]);
});

/** The specification's own sentences, which are sorry. */
const SORRY = /^Sorry, (no available rooms|It Looks Like This Group)/;

test.each(tags)("nothing in %s is an apology for what is empty or over", (language) => {
  // What emoji are found by is no sentence.
  const said = wordsIn(language).filter(([place]) => !place.startsWith("emoji.ts"));
  const sorry = said.filter(([, sentence]) => /\b(sorry|unfortunately|leider)\b/i.test(sentence));
  expect(sorry.filter(([, sentence]) => !SORRY.test(sentence))).toEqual([]);
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
const NO_LABELS = /memberNames|groupNames|^reading/;

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
