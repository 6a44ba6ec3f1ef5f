import { expect, test } from "vitest";
import { app } from "./en/app";
import { chat } from "./en/chat";
import { site } from "./en/site";

/** What the specification writes with more capitals, and the product's name. */
const AS_THEY_ARE = [
  "Annon",
  "Anonymous Message",
  "Change Password",
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

/** Faces have names, and so have the groups that nobody named. */
const NAMES = /\.(faces|fancyNames)\./;

/** The words of a screen that are too short to be prose, with where they stand. */
function* labels(words: unknown, at = ""): Generator<[string, string]> {
  if (typeof words === "string") {
    if (words.split(" ").length <= 5) yield [at, words];
  } else if (typeof words === "object" && words !== null) {
    for (const [key, value] of Object.entries(words)) yield* labels(value, `${at}.${key}`);
  }
}

test("buttons, menus and headings are cased like sentences: one capital, at the start", () => {
  const all = [...labels({ site, app, chat })].filter(([at]) => !NAMES.test(at));
  expect(all.length).toBeGreaterThan(150);
  const longestFirst = AS_THEY_ARE.toSorted((one, other) => other.length - one.length);
  const odd = all.filter(([, words]) => {
    const rest = longestFirst.reduce((left, term) => left.replace(term, "…"), words);
    return /[^.!?:…] \p{Lu}\p{Ll}/u.test(rest);
  });
  expect(odd).toEqual([]);
  for (const term of AS_THEY_ARE)
    expect(
      all.some(([, words]) => words.includes(term)),
      term,
    ).toBe(true);
});
