/** The page that says what Annon is shows parts of the app itself, once they are about to be seen. */
import assert from "node:assert/strict";
import { until } from "./rooms.mjs";

/** Whatever has been fetched so far. */
const fetched = (page) =>
  page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));

const shifted = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const watch = new PerformanceObserver((list) => sum(list.getEntries()));
        const sum = (shifts) => done(shifts.reduce((all, { value }) => all + value, 0));
        watch.observe({ type: "layout-shift", buffered: true });
        setTimeout(done, 500, 0);
      }),
  );

async function readSlowly(page) {
  const height = await page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y < height; y += 250) {
    await page.mouse.wheel(0, 250);
    await page.waitForTimeout(80);
  }
}

const seen = (sample, what) => sample.locator(what).first().waitFor();

export const landing = {
  "landing: an inbox, its picture and a group are drawn by the app, late and in their places": async ({
    page,
    base,
  }) => {
    await page.goto(base);
    await page.locator("h1").waitFor();
    await page.waitForTimeout(500);
    const late = /assets\/(samples|GroupSample|forms)-/;
    assert.deepEqual(
      (await fetched(page)).filter((path) => late.test(path)),
      [],
    );
    await readSlowly(page);
    const inbox = page.getByRole("img", { name: /^Two notes in an inbox/ });
    await seen(inbox, "article[data-unread] time");
    await seen(inbox, "article:not([data-unread]) time");
    const group = page.getByRole("img", { name: /^A sample group chat/ });
    await seen(group, "article[data-mine]");
    await until("the newest line is in view", () =>
      group.evaluate((sample) => {
        const newest = [...sample.querySelectorAll("article")].at(-1).getBoundingClientRect();
        const log = sample.querySelector("[role=log]").getBoundingClientRect();
        return newest.height > 20 && newest.bottom <= log.bottom;
      }),
    );
    const canvas = page.getByRole("img", { name: /^A note as a picture/ }).locator("canvas");
    await until("the picture is painted", () =>
      canvas.evaluate((drawn) => drawn.getContext("2d").getImageData(5, 5, 1, 1).data[3] === 255),
    );
    assert((await shifted(page)) < 0.01, "the page moved");
    const paper = () => seenColour(group);
    const light = await paper();
    await page.evaluate(() => {
      document.documentElement.dataset.theme = "dark";
    });
    assert.notEqual(await paper(), light);
  },

  "landing: nothing in the samples can be reached by keyboard, and none is wider than the page": async ({
    page,
    base,
  }) => {
    for (const width of [195, 320, 390, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(base);
      await page.locator("h1").waitFor();
      for (const sample of await page.getByRole("img", { name: /^(Two notes|A note as|A sample)/ }).all()) {
        await sample.scrollIntoViewIfNeeded();
        await sample.locator(":scope > [inert]").waitFor();
      }
      const isWider = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      assert(!isWider, `wider than ${width}`);
    }
  },

  "landing: without the samples' code the page stands": async ({ page, base }) => {
    await page.route(/assets\/(samples|GroupSample)-/, (route) => route.abort());
    await page.goto(base);
    await page.locator("h1").waitFor();
    await readSlowly(page);
    await page.getByRole("heading", { name: "What stays and what doesn’t" }).waitFor();
  },
};

const seenColour = (group) =>
  group
    .locator("article:not([data-mine]) p")
    .first()
    .evaluate((words) => getComputedStyle(words).color);
