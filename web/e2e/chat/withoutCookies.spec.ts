/** Browsers that keep no cookies, like those inside many apps. The page itself keeps the seat. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { chromium } from "@playwright/test";
import { WHOLE_CHROMIUM } from "../support/chromium.ts";
import { link, PICTURE } from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { type AppPage, test as base, expect, watch, withSteps } from "../support/test.ts";

const SEAT = /Your seat lives in this page only/;

/** The page of a browser whose owner has blocked all cookies, and with them every kind of site data. */
const test = base.extend<{ without: AppPage }>({
  without: async ({ baseURL, launchOptions, complaints }, use, info) => {
    const profile = info.outputPath("profile");
    mkdirSync(joinPath(profile, "Default"), { recursive: true });
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(joinPath(profile, "Default", "Preferences"), JSON.stringify(settings));
    // Only the whole Chromium reads settings.
    const options = { ...launchOptions, executablePath: WHOLE_CHROMIUM, baseURL };
    const context = await chromium.launchPersistentContext(profile, options);
    watch(context, complaints);
    await use(withSteps(context.pages()[0] ?? (await context.newPage())));
    await context.close();
  },
});

test("talk both ways, as the same one after reloads, but no sign-in", async ({
  without: page,
  group,
  join,
}) => {
  await page.goto("/terms");
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the app does the same, and here it must have no effect
    document.cookie = "any=1";
    if (document.cookie !== "") throw new Error("this browser keeps cookies");
  });
  await page.enter(group);
  await page.sees(SEAT);
  await page.button("Copy the link for another browser").click();
  await page.sees("Group link copied to clipboard");
  const emoji = (await page.myEmoji.textContent()) ?? "";
  const other = await join(group);
  await other.hears(page, "from no cookies");
  await page.hears(other, "to no cookies");
  await page.showPictures([PICTURE], "mine");
  await expect(page.sent("mine")).toBeVisible();
  await other.isWhole("mine");
  await other.showPictures([PICTURE], "theirs");
  await page.isWhole("theirs");
  await page.picture("theirs").click();
  // The download link saves the same data that is shown.
  await expect(link(page.dialog, "Download")).toHaveAttribute("href", /^blob:/);
  await page.keyboard.press("Escape");

  for (let time = 0; time < 9; time += 1) await page.enter(group);
  await expect(page.myEmoji).toHaveText(emoji);
  await other.hears(page, "still me");
  await expect(other.button(/^2 of 2 /)).toBeVisible();
  await page.leave();
  await other.sees(`${emoji} left`);

  // The page to sign in says that it needs cookies, and doesn't send the password.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/login");
  await page.sees(/needs cookies/);
  await page.signInByForm(group.host.username, PASSWORD);
  await page.sees(/needs cookies/);
  expect(asked).not.toContain("/api/login");
});

test("the sentence about the seat takes two lines and can be closed", async ({ visitor, group }) => {
  for (const [locale, seat, copy, close] of [
    ["de-DE", /Dein Platz gilt nur auf dieser Seite/, "Link für anderen Browser kopieren", "Verstanden"],
    ["en-GB", SEAT, "Copy the link for another browser", "Got it"],
  ] as const) {
    const page = await visitor({ locale });
    await page.addInitScript(() => Object.defineProperty(document, "cookie", { get: () => "", set() {} }));
    await page.goto(group.url);
    const words = page.getByText(seat);
    await expect(words).toBeVisible();
    for (const width of [390, 360, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const rows = await words.evaluate(
        (text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
      );
      expect(rows, `at ${width} px`).toBeLessThan(2.2);
      await expect(page.button(copy)).toBeVisible();
    }
    await page.button(close).click();
    await expect(words).toHaveCount(0);
  }
});

test("where only the server's cookies are dropped, too", async ({ page, context, group }) => {
  await context.route("**/api/room/*/seat", async (route) => {
    const response = await route.fetch();
    await context.clearCookies({ name: "annon_seat" });
    const { "set-cookie": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await page.enter(group);
  await page.sees(SEAT);
  await page.sends("let in after all");
  const emoji = (await page.myEmoji.textContent()) ?? "";
  await page.enter(group);
  await expect(page.myEmoji).toHaveText(emoji);
  await expect(page.messages).toHaveText(["let in after all"]);
  expect(await page.keysOf(group), "a list would lead to another seat").not.toContain(
    `annon.group.${group.id}`,
  );
});
