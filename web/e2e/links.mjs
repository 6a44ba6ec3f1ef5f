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

/** What of a link stands from left to right, letter by letter, as far as its host goes. */
const seen = (link) =>
  link.evaluate((element) => {
    const text = element.firstChild;
    const letters = Array.from({ length: "https://evil.example".length }, (_, at) => {
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
  });

export const links = {
  "links: what is around an address doesn't turn it round, in the app or before it": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(page, url);
    for (const words of HOSTILE) await say(page, words);
    await line(page, "evil.example")
      .nth(HOSTILE.length - 1)
      .waitFor();
    const shown = page.locator("article a");
    assert.equal(await shown.count(), HOSTILE.length);
    for (const link of await shown.all()) assert.equal(await seen(link), "https://evil.example");

    // The first screen, which the app never replaces here.
    await page.addInitScript(() => delete Navigator.prototype.serviceWorker);
    await page.route(/\/assets\/base-[\w-]{8}\.js$/, () => {});
    await page.goto(url);
    const early = page.locator("[data-early] article [dir=ltr]");
    await early.nth(HOSTILE.length - 1).waitFor();
    for (const address of await early.all()) assert.equal(await seen(address), "https://evil.example");
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
