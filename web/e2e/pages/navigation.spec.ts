/** Back and forward: where a page is found again, and what Back closes before it leaves a page. */
import type { Page } from "@playwright/test";
import {
  box,
  enterAsCreator,
  groupMenu,
  line,
  messageMenu,
  picture,
  say,
  sent,
  showMembers,
  showPictures,
  whoIsHere,
} from "../support/group.ts";
import { answerQuestion, button, dialog, ICON, link, overlays, press, question } from "../support/page.ts";
import { createGroup, type Group, sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const place = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const isAt = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

/** Opened by its address, as by a bookmark. */
async function open(page: Page, path: string, name: string) {
  await page.goto(path);
  await isAt(page, name);
}

async function scrollTo(page: Page, y: number) {
  await page.evaluate((to) => window.scrollTo(0, to), y);
  await expect.poll(() => place(page)).toBe(y);
}

/** A group, come to from another page, with somebody's own message and picture in it. */
async function enterFromAbout(page: Page, group: Group) {
  await open(page, "/about", "About us");
  await enterAsCreator(page, group);
  await say(page, "Tacos at two?");
  await expect(sent(page, "Tacos at two?")).toBeVisible();
}

/** What can be opened in a group, and what is there as long as it is open. */
const inGroup = (page: Page) =>
  ({
    "its menu": [() => groupMenu(page), page.getByRole("menu")],
    "a message's menu": [() => messageMenu(page, "Tacos at two?"), page.getByRole("menu")],
    "its members": [() => showMembers(page), whoIsHere(page)],
    "its code": [() => groupMenu(page, "Invite by QR code"), dialog(page)],
    "a question": [() => groupMenu(page, "Delete group"), question(page)],
    "a picture to send": [() => page.setInputFiles("input[type=file]", [ICON]), dialog(page)],
    "a picture": [() => picture(page).click(), dialog(page)],
  }) as const;

test("Back closes what is open in a group without loading it anew, and then leaves it", async ({
  page,
  group,
}) => {
  await enterFromAbout(page, group);
  await showPictures(page, [ICON]);
  await expect(picture(page)).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const [show, shown] of Object.values(inGroup(page))) {
    // Closed in another way it leaves nothing behind: the next Back would do nothing.
    for (const close of [() => page.goBack(), () => press(page, "Escape")]) {
      await show();
      await expect(shown).toBeVisible();
      await overlays(page, 1);
      await close();
      await expect(shown).toBeHidden();
      await overlays(page, 0);
      await expect(box(page)).toBeVisible();
    }
  }
  expect(asked.filter((path) => /\/seat$/.test(path))).toEqual([]);
  await page.goBack();
  await isAt(page, "About us");
  await page.goForward();
  await expect(box(page)).toBeVisible();
});

test("Back closes one of two", async ({ page, group }) => {
  await enterFromAbout(page, group);
  await showMembers(page);
  await groupMenu(page, "Invite by QR code");
  await expect(dialog(page)).toBeVisible();
  await overlays(page, 2);
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  await expect(whoIsHere(page)).toBeVisible();
  await page.goBack();
  await expect(whoIsHere(page)).toBeHidden();
  await expect(page).toHaveURL(group.url);
  await page.goBack();
  await isAt(page, "About us");
});

test("Back closes what is open at home", async ({ page, account }) => {
  await sendNotes(account, "Draw me, and close me again.");
  await createGroup(account);
  await open(page, "/about", "About us");
  await open(page, "/homepage?tab=inbox", "My Inbox");
  for (const [name, shown] of [
    [/^Capture/, dialog(page)],
    [/^Delete all/, question(page)],
  ] as const) {
    await button(page, name).first().click();
    await expect(shown).toBeVisible();
    await overlays(page, 1);
    await page.goBack();
    await expect(shown).toHaveCount(0);
    await expect(page).toHaveURL(/\?tab=inbox$/);
  }
  await page.goBack();
  await isAt(page, "About us");
});

test("a reload with something open leaves no entry behind", async ({ page, group }) => {
  await enterFromAbout(page, group);
  await groupMenu(page, "Invite by QR code");
  await expect(dialog(page)).toBeVisible();
  await overlays(page, 1);
  await page.reload();
  await expect(box(page)).toBeVisible();
  await overlays(page, 0);
  await expect(dialog(page)).toHaveCount(0);
  await page.goBack();
  await isAt(page, "About us");
});

test("what leads away from something open takes its entry's place", async ({ page, group }) => {
  await enterFromAbout(page, group);
  await showMembers(page);
  await overlays(page, 1);
  await link(page, /My Groups/).click();
  await isAt(page, "My Groups");
  await page.goBack();
  await expect(line(page, "Tacos at two?")).toBeVisible();
  await expect(page).toHaveURL(group.url);
  await expect(whoIsHere(page)).toBeHidden();
  await page.goForward();
  await isAt(page, "My Groups");
  await page.goBack();
  await expect(box(page)).toBeVisible();
  await page.goBack();
  await isAt(page, "About us");

  // Where the page is replaced, the one with the dialog is gone.
  await page.goForward();
  await expect(box(page)).toBeVisible();
  await groupMenu(page, "Delete group");
  await answerQuestion(page, "Delete");
  await isAt(page, "My Groups");
  await page.goBack();
  await isAt(page, "About us");
});

test("forward from what Back has closed leads nowhere", async ({ page, group }) => {
  await enterFromAbout(page, group);
  await groupMenu(page);
  await overlays(page, 1);
  await page.goBack();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.goForward();
  await overlays(page, 0);
  await expect(page).toHaveURL(group.url);
  await groupMenu(page, "Invite by QR code");
  await expect(dialog(page)).toBeVisible();
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
  await page.goBack();
  await isAt(page, "About us");
});

test("a page opened by its address begins at its top, and is found again where it was left", async ({
  page,
}) => {
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
  // The link is further down.
  await expect.poll(() => place(page)).toBeGreaterThan(900);
});

test("Back to a page that needs an account, then to the page before it", async ({
  page,
  context,
  account: _,
}) => {
  await open(page, "/about", "About us");
  await open(page, "/settings", "Settings");
  await page.evaluate(() => document.body.setAttribute("data-same-document", ""));
  await link(page, /^Privacy/).click();
  await isAt(page, "Privacy");
  await expect(page.locator("body")).toHaveAttribute("data-same-document");
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goBack();
  await expect(page.getByLabel("Username or email")).toBeVisible();
  await page.goBack();
  await isAt(page, "About us");
});
