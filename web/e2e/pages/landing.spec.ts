/** The page that says what Annon is shows what a note, its picture and a group look like. */
import { link, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("the samples are there before anybody scrolls, and none is wider than the page", async ({ page }) => {
  for (const width of [195, 320, 390, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto("/");
    for (const name of [/^Two notes in an inbox/, /^A note as an image/, /^A sample group chat/])
      await expect(page.getByRole("img", { name })).not.toHaveText("");
    expect(await page.sticksOut()).toBe(0);
  }
});

test("on a phone the header is one row, with its links behind a button", async ({ page }) => {
  await page.goto("/about");
  const header = page.getByRole("banner");
  await expect(link(header, "Sign Up")).toBeVisible();
  expect((await placeOf(header)).height).toBeLessThan(120);
  await expect(link(header, "Blog")).toHaveCount(0);
  await page.button("Menu").click();
  await link(header, "Blog").click();
  await expect(page.heading("Blog")).toBeVisible();
  await expect(link(header, "Blog")).toHaveCount(0);
});
