/** The address of a personal link, opened by its owner. */
import { register } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("your own page says that it is yours, and shows what others see", async ({ page, server, account }) => {
  // The home asks the server who is signed in.
  await page.goto("/homepage");
  await expect(page.heading(`Hello, ${account.username}`)).toBeVisible();
  const words = page.getByLabel("Your anonymous note");
  // Upper and lower case are the same.
  await page.goto(`/${account.username.toUpperCase()}`);
  await expect(page.heading("This page is yours")).toBeVisible();
  await expect(page).toHaveTitle("Your page · Annon");
  await expect(words).toHaveCount(0);
  await page.button("Copy link").click();
  await page.sees("Anonymous Chat Link Copied to Clipboard");
  expect((await page.clipboard()).toLowerCase()).toBe(`${server.base}/${account.username}`);
  await page.link("See it as others do").click();
  await expect(words).toBeVisible();
  await page.reload();
  await expect(words).toBeVisible();
  await page.goBack();
  await expect(page.heading("This page is yours")).toBeVisible();
  await page.goto(`/${(await register(server.base)).username}`);
  await expect(words).toBeVisible();
});
