/** Browsers that keep no cookies, as in many apps' own windows: the page carries the seat itself. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { enter, leave, line, messages, myFace, picture, say, sent, showPictures } from "../support/group.ts";
import { button, dialog, ICON, link, PICTURE, sees, signInByForm } from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { test as base, expect } from "../support/test.ts";

const SEAT = /Your seat lives in this page only/;

/** The page of a browser whose owner has blocked all cookies, and with them every kind of site data. */
const test = base.extend<{ without: Page }>({
  without: async ({ baseURL, launchOptions }, use, info) => {
    const profile = info.outputPath("profile");
    mkdirSync(joinPath(profile, "Default"), { recursive: true });
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(joinPath(profile, "Default", "Preferences"), JSON.stringify(settings));
    const context = await chromium.launchPersistentContext(profile, { ...launchOptions, baseURL });
    await use(context.pages()[0] ?? (await context.newPage()));
    await context.close();
  },
});

/** The newest picture is there to be seen. */
const isShown = (page: Page) =>
  expect
    .poll(() =>
      picture(page)
        .locator("img[data-loaded]")
        .last()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);

test("talk both ways, with pictures, as the same one after each reload", async ({
  without: page,
  group,
  join,
}) => {
  await page.goto("/terms");
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: it is what the app does, and is to come to nothing
    document.cookie = "any=1";
    if (document.cookie !== "") throw new Error("this browser keeps cookies");
  });
  await enter(page, group);
  await sees(page, SEAT);
  const face = (await myFace(page).textContent()) ?? "";
  const other = await join(group);
  await say(page, "from no cookies");
  await expect(line(other, "from no cookies")).toBeVisible();
  await say(other, "to no cookies");
  await expect(line(page, "to no cookies")).toBeVisible();
  await showPictures(page, [ICON], "mine");
  await expect(sent(page, "mine")).toBeVisible();
  await isShown(other);
  await showPictures(other, [PICTURE], "theirs");
  await expect(line(page, "theirs")).toBeVisible();
  await isShown(page);
  await picture(page, "theirs").click();
  // What is saved is what is shown.
  await expect(link(dialog(page), "Download")).toHaveAttribute("href", /^blob:/);
  await page.keyboard.press("Escape");

  for (let time = 0; time < 9; time += 1) await enter(page, group);
  await expect(myFace(page)).toHaveText(face);
  await say(page, "still me");
  await expect(line(other, "still me")).toBeVisible();
  await expect(button(other, /^2 of 2 /)).toBeVisible();
  await leave(page);
  await sees(other, `${face} left`);
});

test("what that means takes two lines of a phone, hands the link on and can be put away", async ({
  without: page,
  group,
}) => {
  await page.addInitScript(() => {
    const language = location.hash === "#de" ? "de-DE" : "en-GB";
    Object.defineProperty(navigator, "languages", { get: () => [language] });
    Object.defineProperty(navigator, "language", { get: () => language });
  });
  for (const [hash, seat, copy] of [
    ["#de", /Dein Platz gilt nur auf dieser Seite/, "Link für anderen Browser kopieren"],
    ["", SEAT, "Copy the link for another browser"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(group.url + hash);
    const words = page.getByText(seat);
    await expect(words).toBeVisible();
    for (const width of [390, 360, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const rows = await words.evaluate(
        (text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
      );
      expect(rows, `at ${width} px`).toBeLessThan(2.2);
      await expect(button(page, copy)).toBeVisible();
    }
  }
  await button(page, "Copy the link for another browser").click();
  await sees(page, "Group link copied to clipboard");
  await button(page, "Got it").click();
  await expect(page.getByText(SEAT)).toHaveCount(0);
});

test("signing in says what it needs, and no password goes out", async ({ without: page, person }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/login");
  await sees(page, /needs cookies/);
  await signInByForm(page, person.username, PASSWORD);
  await sees(page, /needs cookies/);
  expect(asked).not.toContain("/api/login");
});

test("a browser that takes a page's cookies and drops the server's: the page carries the seat", async ({
  page,
  context,
  group,
}) => {
  await context.route("**/api/room/*/seat", async (route) => {
    const response = await route.fetch();
    await context.clearCookies({ name: "annon_seat" });
    const { "set-cookie": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await enter(page, group);
  await sees(page, SEAT);
  await say(page, "let in after all");
  await expect(sent(page, "let in after all")).toBeVisible();
  const face = (await myFace(page).textContent()) ?? "";
  await enter(page, group);
  await expect(myFace(page)).toHaveText(face);
  await expect(messages(page)).toHaveText(["let in after all"]);
});

test("with cookies nothing of a seat is to be read by a script, and no line is shown", async ({
  page,
  group,
}) => {
  const seats: string[] = [];
  page.on("request", (request) => seats.push(request.headers()["annon-seat"] ?? ""));
  await enter(page, group);
  expect(seats.join("")).toBe("");
  await expect(page.getByText(SEAT)).toHaveCount(0);
  const kept = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...sessionStorage }, history.state]),
  );
  expect(kept).not.toContain("annon-seat");
});
