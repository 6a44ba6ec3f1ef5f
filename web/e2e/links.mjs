/** Addresses that want to be read as others, in a real browser's own order of letters. */
import assert from "node:assert/strict";
import LINKS from "../src/shared/richText/testing/links.json" with { type: "json" };
import { enter, line, newRoom, say } from "./rooms.mjs";

const HOSTILE = [
  "\u202ehttps://evil.example/moc.knab.www//:sptth",
  "\u2067\u202e see https://evil.example/moc.knab.www//:sptth",
  "שלום https://evil.example/אבג/www.bank.com שלום",
  '\u202e<a href="https://evil.example/x">moc.knab.www//:sptth</a>',
];

/** What of some words stands from left to right, letter by letter; of a link, as far as its host goes. */
const seen = (words, length = "https://evil.example".length) =>
  words.evaluate((element, length) => {
    const text = element.firstChild;
    const letters = Array.from({ length }, (_, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { left, top } = range.getBoundingClientRect();
      return { letter: range.toString(), left, top };
    });
    return letters
      .sort((a, b) => a.top - b.top || a.left - b.left)
      .map(({ letter }) => letter)
      .join("");
  }, length);

export const links = {
  "links: what is around an address doesn't turn it round": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(page, url);
    for (const words of HOSTILE) await say(page, words);
    const shown = page.locator("article a");
    await shown.nth(HOSTILE.length - 1).waitFor();
    assert.equal(await shown.count(), HOSTILE.length);
    for (const link of await shown.all()) assert.equal(await seen(link), "https://evil.example");
  },

  "no mark has words read backwards, in a message or quoted, and what is written from the right is": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "\u202eabc\u202c def");
    await say(page, "\u202dשלום");
    await line(page, "שלום").getByTitle("Sent", { exact: true }).waitFor();
    // As the server has them, which takes words as they come.
    await page.reload();
    await line(page, "שלום").waitFor();
    const words = page.locator("article [data-emoji]");
    assert.equal(await seen(words.first(), 3), "abc");
    assert.equal(await seen(words.last(), 4), [..."שלום"].reverse().join(""));
    await line(page, "abc").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Reply" }).click();
    await say(page, "an answer");
    const quote = line(page, "an answer").locator("button [dir=auto]");
    assert.equal(await seen(quote, 3), "abc");
  },

  "links: this browser takes addresses apart as the tests do": async ({ page }) => {
    const typed = Object.values(LINKS)
      .flat()
      .filter(([said, , ...opened]) => opened.length === 1 && /^https?:\/\/\S+$/iu.test(said))
      .filter(
        ([said]) => !/[.,:;!?…'"»”’*_。)\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(said.slice(-1)),
      )
      .filter(([said]) => !/['"<>\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(said));
    assert.ok(typed.length > 100, `${typed.length} addresses`);
    const taken = await page.evaluate((all) => all.map(([said]) => new URL(said).href), typed);
    assert.deepEqual(
      taken,
      typed.map(([, , opened]) => opened),
    );
  },
};
