/** Back and forward: where a page is found again, and what Back closes before it leaves a page. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { createRoom, register, sendNote, signedIn } from "./people.mjs";
import { box, enter, ICON, line, newRoom, say, showPictures, until } from "./rooms.mjs";

const place = (page) => page.evaluate(() => Math.round(window.scrollY));
const gone = (found) => found.waitFor({ state: "hidden" });

async function scrollTo(page, y) {
  await page.evaluate((to) => window.scrollTo(0, to), y);
  await until(`the page at ${y}`, async () => (await place(page)) === y);
}

/** Opened by its address, as by a bookmark. */
async function open(page, base, path, heading) {
  await page.goto(base + path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name });

/** A group, come to from another page, with somebody's own message and picture in it. */
async function inGroup(page, context, base) {
  const { host, id, url } = await newRoom(base);
  await signedIn(context, base, host);
  await open(page, base, "/about", "About us");
  await enter(page, url);
  await say(page, "Tacos at two?");
  await line(page, "Tacos at two?").waitFor();
  return { host, id, url };
}

const roomMenu = async (page, item) => {
  await page.getByRole("button", exact("More")).first().click();
  await page.getByRole("menu").waitFor();
  if (item) await page.getByRole("menuitem", exact(item)).click();
};

/** What can be opened in a group, and what is there as long as it is open. */
const IN_A_GROUP = {
  "its menu": [(page) => roomMenu(page), (page) => page.getByRole("menu")],
  "a message's menu": [
    (page) => line(page, "Tacos at two?").click({ button: "right" }),
    (page) => page.getByRole("menu"),
  ],
  "its members": [
    (page) => page.getByRole("button", { name: /here now/ }).click(),
    (page) => page.locator("#members"),
  ],
  "its code": [(page) => roomMenu(page, "Invite by QR code"), (page) => page.getByRole("dialog")],
  "a question": [(page) => roomMenu(page, "Delete group"), (page) => page.getByRole("alertdialog")],
  "a picture to send": [
    (page) => page.setInputFiles("input[type=file]", [ICON]),
    (page) => page.getByRole("dialog"),
  ],
  "a picture": [
    (page) =>
      page
        .getByRole("article")
        .filter({ has: page.locator("img") })
        .getByRole("button")
        .first()
        .click(),
    (page) => page.getByRole("dialog"),
  ],
};

export const navigation = {
  "navigation: what is opened and closed in a group doesn't load the group anew": async ({
    page,
    context,
    base,
  }) => {
    await inGroup(page, context, base);
    await showPictures(page, [ICON]);
    await page
      .getByRole("button", { name: /^Picture by / })
      .first()
      .waitFor();
    const asked = [];
    page.on("request", (request) => {
      if (/\/seat$/.test(request.url())) asked.push(request.url());
    });
    for (const [what, [show, shown]] of Object.entries(IN_A_GROUP)) {
      for (const close of [() => page.goBack(), () => page.keyboard.press("Escape")]) {
        await show(page);
        await shown(page).waitFor();
        await until(`${what} has an entry`, () => page.evaluate(() => history.state.overlays > 0));
        await close();
        await gone(shown(page));
        await until(`${what} leaves no entry`, () => page.evaluate(() => !history.state.overlays));
      }
    }
    assert.deepEqual(asked, []);
  },

  "navigation: a page opened by its address begins at its top": async ({ page, base }) => {
    await open(page, base, "/terms", "Terms");
    await scrollTo(page, 600);
    await open(page, base, "/privacy", "Privacy");
    assert.equal(await place(page), 0);
    await scrollTo(page, 900);
    // What was left is found again where it was, also by a reload.
    await page.goBack();
    await heading(page, "Terms").waitFor();
    await until("the place in the terms", async () => (await place(page)) === 600);
    await page.goForward();
    await heading(page, "Privacy").waitFor();
    await until("the place on the page of privacy", async () => (await place(page)) === 900);
    await page.reload();
    await heading(page, "Privacy").waitFor();
    await until("the same place", async () => (await place(page)) === 900);
    await page.getByRole("contentinfo").getByRole("link", exact("Blog")).click();
    await heading(page, "Blog").waitFor();
    assert.equal(await place(page), 0);
    await page.goBack();
    await heading(page, "Privacy").waitFor();
    await until("the place the link was at", async () => (await place(page)) > 900);
  },

  "navigation: Back closes what is open in a group, and then leaves it": async ({ page, context, base }) => {
    await inGroup(page, context, base);
    await showPictures(page, [ICON]);
    for (const [what, [opening, found]] of Object.entries(IN_A_GROUP)) {
      await opening(page);
      await found(page).waitFor();
      await until(`${what} to have an entry`, () => page.evaluate(() => history.state.overlays === 1));
      await page.goBack();
      await gone(found(page));
      assert.ok(await box(page).isVisible(), what);
      // Closed in another way it leaves nothing behind: the next Back would do nothing.
      await opening(page);
      await found(page).waitFor();
      await page.keyboard.press("Escape");
      await gone(found(page));
      await until(`${what} to leave no entry`, () => page.evaluate(() => !history.state.overlays));
    }
    await page.goBack();
    await heading(page, "About us").waitFor();
    await page.goForward();
    await box(page).waitFor();
  },

  "navigation: Back closes one of two": async ({ page, context, base }) => {
    const { url } = await inGroup(page, context, base);
    const members = page.locator("#members");
    await IN_A_GROUP["its members"][0](page);
    await members.waitFor();
    await roomMenu(page, "Invite by QR code");
    const code = page.getByRole("dialog");
    await code.waitFor();
    await until("two entries", () => page.evaluate(() => history.state.overlays === 2));
    await page.goBack();
    await gone(code);
    assert.ok(await members.isVisible());
    await page.goBack();
    await gone(members);
    assert.equal(page.url(), url);
    await page.goBack();
    await heading(page, "About us").waitFor();
  },

  "navigation: Back closes what is open at home": async ({ page, context, base }) => {
    const person = await register(base, "going-back");
    await sendNote(base, person.username, "Draw me, and close me again.");
    await createRoom(base, person, "midnight tacos");
    await signedIn(context, base, person);
    await open(page, base, "/about", "About us");
    await open(page, base, "/homepage?tab=inbox", "My Inbox");
    for (const [button, role] of [
      [/^Capture/, "dialog"],
      [/^Delete all/, "alertdialog"],
    ]) {
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole(role).waitFor();
      await until("an entry", () => page.evaluate(() => history.state.overlays === 1));
      await page.goBack();
      await gone(page.getByRole(role));
      assert.ok(page.url().endsWith("?tab=inbox"));
    }
    await page.goBack();
    await heading(page, "About us").waitFor();
  },

  "navigation: a reload with something open leaves no entry behind": async ({ page, context, base }) => {
    await inGroup(page, context, base);
    await roomMenu(page, "Invite by QR code");
    await page.getByRole("dialog").waitFor();
    await until("an entry", () => page.evaluate(() => history.state.overlays === 1));
    await page.reload();
    await box(page).waitFor();
    await until("no entry", () => page.evaluate(() => !history.state.overlays));
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.goBack();
    await heading(page, "About us").waitFor();
  },

  "navigation: what leads away from something open takes its entry's place": async ({
    page,
    context,
    base,
  }) => {
    const { url } = await inGroup(page, context, base);
    await IN_A_GROUP["its members"][0](page);
    await until("an entry", () => page.evaluate(() => history.state.overlays === 1));
    await page.getByRole("link", { name: /My Groups/ }).click();
    await heading(page, "My Groups").waitFor();
    await page.goBack();
    await box(page).waitFor();
    assert.equal(page.url(), url);
    assert.ok(!(await page.locator("#members").isVisible()));
    await page.goForward();
    await heading(page, "My Groups").waitFor();
    await page.goBack();
    await box(page).waitFor();
    await page.goBack();
    await heading(page, "About us").waitFor();

    // Where the page is replaced, the one with the dialog is gone.
    await page.goForward();
    await box(page).waitFor();
    await roomMenu(page, "Delete group");
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /Delete/ })
      .click();
    await heading(page, "My Groups").waitFor();
    await page.goBack();
    await heading(page, "About us").waitFor();
  },

  "navigation: forward from what Back has closed leads nowhere": async ({ page, context, base }) => {
    const { url } = await inGroup(page, context, base);
    await roomMenu(page);
    await until("an entry", () => page.evaluate(() => history.state.overlays === 1));
    await page.goBack();
    await gone(page.getByRole("menu"));
    await page.goForward();
    await until("no entry", () => page.evaluate(() => !history.state.overlays));
    assert.equal(page.url(), url);
    await roomMenu(page, "Invite by QR code");
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    await gone(page.getByRole("dialog"));
    await page.goBack();
    await heading(page, "About us").waitFor();
  },
};
