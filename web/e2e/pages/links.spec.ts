/** Addresses and words that try to look like others, in the order in which a real browser draws the letters. */
import type { Locator } from "@playwright/test";
import { CASES } from "../../src/shared/richText/testing/linkCases.ts";
import { expect, test } from "../support/test.ts";

const HOSTILE = [
  "\u202ehttps://evil.example/moc.knab.www//:sptth",
  "\u2067\u202e see https://evil.example/moc.knab.www//:sptth",
  "שלום https://evil.example/אבג/www.bank.com שלום",
  '\u202e<a href="https://evil.example/x">moc.knab.www//:sptth</a>',
];

/** The first letters of some words, in the order in which they are drawn from left to right. */
const seen = (words: Locator, length: number) =>
  words.evaluate((element, length) => {
    const text = element.firstChild ?? element;
    const letters = Array.from({ length }, (_, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { left, top } = range.getBoundingClientRect();
      return { letter: range.toString(), left, top };
    });
    letters.sort((a, b) => a.top - b.top || a.left - b.left);
    return letters.map(({ letter }) => letter).join("");
  }, length);

test("words around an address don't turn it round", async ({ page, group }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.enter(group);
  await page.say(...HOSTILE);
  const shown = page.line("evil.example").getByRole("link");
  await expect(shown).toHaveCount(HOSTILE.length);
  const host = "https://evil.example";
  for (const link of await shown.all()) expect(await seen(link, host.length)).toBe(host);
});

test("no mark turns words round, and words of right-to-left scripts run from the right", async ({ me }) => {
  await me.say("\u202eabc\u202c def", "\u202dשלום");
  await expect(me.sent("שלום")).toBeVisible();
  // After a reload the words come from the server, which keeps them unchanged.
  await me.reload();
  await expect(me.line("שלום")).toBeVisible();
  const words = me.locator("article [data-emoji]");
  expect(await seen(words.first(), 3)).toBe("abc");
  expect(await seen(words.last(), 4)).toBe([..."שלום"].reverse().join(""));
  await me.answerTo("abc");
  await me.say("an answer");
  expect(await seen(me.line("an answer").locator("button [dir=auto]"), 3)).toBe("abc");
});

test("this browser parses addresses as the tests do", async ({ page }) => {
  const typed = CASES.filter(
    ([message, , ...opened]) => opened.length === 1 && /^https?:\/\/\S+$/iu.test(message),
  )
    .filter(([message]) => !/[.,:;!?…'"»”’*_。)\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u.test(message))
    .filter(([message]) => !/['"<>\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(message));
  expect(typed.length).toBeGreaterThan(100);
  const taken = await page.evaluate((all) => all.map(([message]) => new URL(message).href), typed);
  expect(taken).toEqual(typed.map(([, , opened]) => opened));
});
