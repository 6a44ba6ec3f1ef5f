/** Back and Forward: the scroll position of a page that is opened again, and what Back closes before it leaves. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ICON, link } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const place = (page: AppPage) => page.evaluate(() => Math.round(window.scrollY));
const isAt = (page: AppPage, name: string) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

/** Opens a page by its address, as a bookmark does. */
async function open(page: AppPage, path: string, name: string) {
  await page.goto(path);
  await isAt(page, name);
}

async function scrollTo(page: AppPage, y: number) {
  await page.evaluate((to) => window.scrollTo(0, to), y);
  await expect.poll(() => place(page)).toBe(y);
}

test("Back closes what is open in a group, and what leads away takes its entry's place", async ({
  page,
  group,
}) => {
  await open(page, "/about", "About us");
  await page.enterAsCreator(group);
  await page.sends("Tacos at two?");
  await page.showPictures([ICON]);
  await expect(page.picture()).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const [show, shown] of [
    [() => page.moreMenu(), page.getByRole("menu")],
    [() => page.messageMenu("Tacos at two?"), page.getByRole("menu")],
    [() => page.showMembers(), page.whoIsHere],
    [() => page.moreMenu("Invite by QR code"), page.dialog],
    [() => page.moreMenu("Delete group"), page.question],
    [() => page.setInputFiles("input[type=file]", [ICON]), page.dialog],
    [() => page.picture().click(), page.dialog],
  ] as const) {
    // Escape closes it as well, and must leave no history entry: otherwise the next Back would do nothing.
    for (const close of [() => page.goBack(), () => page.keys("Escape")]) {
      await show();
      await expect(shown).toBeVisible();
      await page.overlays(1);
      await close();
      await expect(shown).toBeHidden();
      await page.overlays(0);
      await expect(page.box).toBeVisible();
    }
  }
  // If two are open, Back closes the upper one first.
  await page.showMembers();
  await page.moreMenu("Invite by QR code");
  await page.overlays(2);
  await page.goBack();
  await expect(page.dialog).toHaveCount(0);
  await expect(page.whoIsHere).toBeVisible();
  await page.goBack();
  await expect(page.whoIsHere).toBeHidden();

  // Forward doesn't open again what Back has closed, and a reload removes the history entry of an open dialog.
  await page.goForward();
  await page.overlays(0);
  await expect(page).toHaveURL(group.url);
  await expect(page.whoIsHere).toBeHidden();
  expect(asked.filter((path) => /\/seat$/.test(path))).toEqual([]);
  await page.moreMenu("Invite by QR code");
  await page.overlays(1);
  await page.reload();
  await expect(page.box).toBeVisible();
  await page.overlays(0);
  await expect(page.dialog).toHaveCount(0);
  await page.goBack();
  await isAt(page, "About us");
  await page.goForward();
  await expect(page.box).toBeVisible();

  // A link that leaves the page while a list is open replaces the list's history entry.
  await page.showMembers();
  await page.overlays(1);
  await page.link(/My Groups/).click();
  await isAt(page, "My Groups");
  await page.goBack();
  await expect(page.line("Tacos at two?")).toBeVisible();
  await expect(page).toHaveURL(group.url);
  await expect(page.whoIsHere).toBeHidden();
  await page.goForward();
  await isAt(page, "My Groups");
  await page.goBack();
  await expect(page.box).toBeVisible();
  await page.goBack();
  await isAt(page, "About us");

  // If the page is replaced while a dialog is open, Back doesn't lead to the page with the dialog.
  await page.goForward();
  await expect(page.box).toBeVisible();
  await page.moreMenu("Delete group");
  await page.answerQuestion("Delete");
  await isAt(page, "My Groups");
  await page.goBack();
  await isAt(page, "About us");
});

test("a page begins at its top, and is found again where it was left", async ({ page }) => {
  await open(page, "/terms", "Terms");
  await scrollTo(page, 600);
  await open(page, "/privacy", "Privacy");
  expect(await place(page)).toBe(0);
  await scrollTo(page, 900);
  await page.goBack();
  await isAt(page, "Terms");
  await expect.poll(() => place(page)).toBe(600);
  await page.goForward();
  await isAt(page, "Privacy");
  await expect.poll(() => place(page)).toBe(900);
  await page.reload();
  await isAt(page, "Privacy");
  await expect.poll(() => place(page)).toBe(900);
  await link(page.getByRole("contentinfo"), "Blog").click();
  await isAt(page, "Blog");
  expect(await place(page)).toBe(0);
  await page.goBack();
  await isAt(page, "Privacy");
  // The link that was clicked is further down than before.
  await expect.poll(() => place(page)).toBeGreaterThan(900);
});

test("Back to what needs an account, then to the page before", async ({ page, context, account: _ }) => {
  await open(page, "/about", "About us");
  await open(page, "/settings", "Settings");
  await page.evaluate(() => document.body.setAttribute("data-same-document", ""));
  await page.link(/^Privacy/).click();
  await isAt(page, "Privacy");
  await expect(page.locator("body")).toHaveAttribute("data-same-document");
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goBack();
  await expect(page.getByLabel("Username or email")).toBeVisible();
  await page.goBack();
  await isAt(page, "About us");
});

test("a page with the operator's own words is found again where it was left, too", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "annon-e2e-"));
  const file = join(folder, "words.txt");
  const words = [...Array(40).keys()].map((n) => `Words ${n}, and [a page](https://choir.example/${n}).`);
  writeFileSync(file, ["# Of the choir", ...words].join("\n\n"));
  const server = await startServer(["--privacy-file", file]);
  try {
    await open(page, `${server.base}/privacy`, "Privacy");
    const last = link(page.getByRole("main"), "a page").last();
    // The page that the server wrote is taken over in the middle of that.
    await expect(() => last.scrollIntoViewIfNeeded()).toPass();
    const left = await place(page);
    expect(left).toBeGreaterThan(1000);
    await page.reload();
    await isAt(page, "Privacy");
    await expect(last).toHaveAttribute("href", "https://choir.example/39");
    await expect.poll(() => place(page)).toBe(left);
    await expect(page.getByRole("heading", { level: 3, name: "Of the choir" })).toHaveCount(1);
    // By the app itself they come with a call.
    await link(page.getByRole("contentinfo"), "Terms").click();
    await isAt(page, "Terms");
    await page.goBack();
    await isAt(page, "Privacy");
    await expect(last).toBeVisible();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
