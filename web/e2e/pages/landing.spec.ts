/** The page that says what Annon is shows parts of the app itself, once they are about to be seen. */
import { until } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const SAMPLES = /^(Two notes|A note as|A sample)/;
const sample = (page: AppPage, name: RegExp) => page.getByRole("img", { name });

async function openLanding(page: AppPage) {
  await page.goto("/");
  await expect(page.locator("h1").first()).toBeVisible();
}

async function readSlowly(page: AppPage) {
  const height = await page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y < height; y += 250) {
    await page.mouse.wheel(0, 250);
    await page.waitForTimeout(80);
  }
}

test("an inbox, its picture and a group are drawn by the app, late and in their places", async ({ page }) => {
  await openLanding(page);
  await page.waitForLoadState("networkidle");
  const fetched = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  expect(fetched.filter((path) => /assets\/(samples|GroupSample|chat)-/.test(path))).toEqual([]);
  await readSlowly(page);
  const inbox = sample(page, /^Two notes in an inbox/);
  await expect(inbox.locator("article[data-unread] time").first()).toBeVisible();
  await expect(inbox.locator("article:not([data-unread]) time").first()).toBeVisible();
  const group = sample(page, /^A sample group chat/);
  await expect(group.locator("article[data-mine]").first()).toBeVisible();
  await until("the newest line is in view", () =>
    group.evaluate((drawn) => {
      const lines = [...drawn.querySelectorAll("article")];
      const newest = lines.at(-1)?.getBoundingClientRect();
      const log = drawn.querySelector("[role=log]")?.getBoundingClientRect();
      return newest !== undefined && log !== undefined && newest.height > 20 && newest.bottom <= log.bottom;
    }),
  );
  await until("the picture is painted", () =>
    sample(page, /^A note as a picture/)
      .locator("canvas")
      .evaluate(
        (canvas: HTMLCanvasElement) => canvas.getContext("2d")?.getImageData(5, 5, 1, 1).data[3] === 255,
      ),
  );
  const shifted = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const sum = (shifts: PerformanceEntryList) =>
          done(shifts.reduce((all, shift) => all + (shift as unknown as { value: number }).value, 0));
        new PerformanceObserver((list) => sum(list.getEntries())).observe({
          type: "layout-shift",
          buffered: true,
        });
        setTimeout(done, 500, 0);
      }),
  );
  expect(shifted, "the page moved").toBeLessThan(0.01);
  const colour = () =>
    group
      .locator("article:not([data-mine]) p")
      .first()
      .evaluate((words) => getComputedStyle(words).color);
  const light = await colour();
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "dark";
  });
  expect(await colour()).not.toBe(light);
});

test("no sample can be reached by keyboard, and none is wider than the page", async ({ page }) => {
  for (const width of [195, 320, 390, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await openLanding(page);
    for (const drawn of await sample(page, SAMPLES).all()) {
      await drawn.scrollIntoViewIfNeeded();
      await expect(drawn.locator(":scope > [inert]")).toBeVisible();
    }
    expect(await page.sticksOut()).toBe(0);
  }
});

test("without the samples' code the page stands", async ({ page }) => {
  await page.route(/assets\/(samples|GroupSample)-/, (route) => route.abort());
  await openLanding(page);
  await readSlowly(page);
  await expect(page.heading("What stays and what doesn’t")).toBeVisible();
});
