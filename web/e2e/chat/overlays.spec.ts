/** Menus, dialogs and notices: what they do with the focus, with what is behind them, and with one another. */
import { button, PICTURE, placeOf } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const menu = (page: AppPage) => page.getByRole("menu");
const focusIsOn = (page: AppPage, what: string | RegExp) =>
  expect.poll(() => page.focused()).toMatch(typeof what === "string" ? new RegExp(`^${what}$`) : what);
const isHeard = (page: AppPage, where: string, words: string) =>
  expect(page.locator(`${where} [aria-live=polite]`).getByText(words).first()).toBeAttached();

/** By keys: the menu of the group, and what is chosen in it. */
async function openByKeys(page: AppPage, ...keys: string[]) {
  await page.more.focus();
  await page.keys("Enter");
  await expect(menu(page)).toBeVisible();
  await page.keys(...keys);
}

test("a group's menu and what it opens, by keyboard alone", async ({ page, group }) => {
  await page.enterAsCreator(group);
  await openByKeys(page, "End");
  await expect(page.more).toHaveAttribute("aria-expanded", "true");
  for (const [key, name] of [
    ["", "Delete group"],
    ["ArrowDown", "Copy invite link"],
    ["i", "Invite by QR code"],
  ]) {
    if (key) await page.keys(key);
    await focusIsOn(page, name);
  }
  await page.escape(menu(page));
  await focusIsOn(page, "More");

  // Tab goes on behind the button, as if there had been no menu.
  await openByKeys(page, "Shift+Tab");
  await expect(menu(page)).toHaveCount(0);
  await focusIsOn(page, /here now/);

  // A dialog keeps the focus inside, and gives it back to where its menu was opened.
  await openByKeys(page, "i", "Enter");
  await expect(page.dialog).toBeVisible();
  for (let step = 0; step < 8; step += 1) {
    await page.keys("Tab");
    // Past its last control is the browser's own, where the page has no focus.
    expect(await page.evaluate(() => document.activeElement?.matches("body, dialog *, dialog"))).toBe(true);
  }
  await page.escape();
  await focusIsOn(page, "More");

  // A press beside it closes a dialog, but no question. No sheet reaches into the window's corner.
  await openByKeys(page, "End", "Enter");
  await expect(page.question).toBeVisible();
  await focusIsOn(page, "Cancel");
  await page.mouse.click(4, 4);
  await expect(page.question).toHaveCount(1);
  await page.escape(page.question);
  await focusIsOn(page, "More");
  await openByKeys(page, "i", "Enter");
  await expect(page.dialog).toBeVisible();
  await page.mouse.click(4, 4);
  await expect(page.dialog).toHaveCount(0);
  await focusIsOn(page, "More");

  // A menu that was opened by Enter does what the second Enter says.
  await openByKeys(page, "Enter");
  await expect(menu(page)).toHaveCount(0);
  await page.sees("Group link copied to clipboard");
  expect(await page.clipboard()).toBe(group.url);
  await page.box.focus();
  // Opened by hand, nothing in it is chosen beforehand.
  await page.moreMenu();
  await expect(page.item(/./).and(page.locator(":focus"))).toHaveCount(0);
  await page.escape(menu(page));
  await page.more.focus();
  await page.keys("Space");
  await expect(menu(page)).toBeVisible();
  await focusIsOn(page, "Copy invite link");
  await page.escape(menu(page));
});

test("Escape closes one thing at a time, wherever the focus is, and the reply last", async ({ me }) => {
  await me.sends("to be answered");

  // With nothing written, up leads to the newest message, and down or Escape back.
  await me.box.focus();
  for (const back of ["ArrowDown", "Escape"]) {
    await me.keys("ArrowUp");
    await focusIsOn(me, /to be answered/);
    await me.keys(back);
    await expect(me.box).toBeFocused();
  }
  await me.answerTo("to be answered");
  await expect(me.box).toHaveAttribute("aria-keyshortcuts", "ArrowUp");
  // While something is written, it is the field's own key.
  await me.keyboard.type("words");
  await me.keys("ArrowUp");
  await expect(me.box).toBeFocused();

  await me.setInputFiles("input[type=file]", [PICTURE]);
  await expect(me.dialog).toBeVisible();
  await me.escape();
  await me.messageMenu("to be answered");
  await me.escape(menu(me));
  for (const focus of [
    () => me.box.focus(),
    () => me.line("to be answered").focus(),
    () => me.evaluate(() => (document.activeElement as HTMLElement).blur()),
  ]) {
    await me.showMembers();
    await focus();
    const at = await me.evaluateHandle(() => document.activeElement);
    await me.escape(me.whoIsHere);
    expect(await at.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  // From inside, the focus goes back to what opened it.
  await me.showMembers();
  await button(me.whoIsHere, "Close list").focus();
  await me.escape(me.whoIsHere);
  await expect(me.membersButton).toBeFocused();
  await expect(me.replyBar).toBeVisible();

  await me.box.focus();
  await me.escape(me.replyBar);
  await expect(me.box).toHaveValue("words");
  await expect(me.box).toBeFocused();
  await me.reload();
  await me.canTalk();
  await expect(me.replyBar).toHaveCount(0);
});

test("a dialog tells what is said meanwhile, and nothing from before", async ({ me: page, member }) => {
  member.say("an old line");
  await isHeard(page, "body", "an old line");
  await openByKeys(page, "i", "Enter");
  await expect(page.dialog).toBeVisible();
  member.say("a new line");
  await isHeard(page, "dialog", "a new line");
  await expect(page.dialog.getByText("an old line")).toHaveCount(0);
  await page.escape();
  await expect(page.locator("body > [aria-live]").getByText("a new line")).toHaveCount(0);
  await expect(page.messages).toHaveText(["an old line", "a new line"]);
  member.say("Hello?");
  await isHeard(page, "body", "Hello?");
});

test("a message's menu stays in the window, and marks what it is of", async ({ me, member }) => {
  for (const words of ["one", "two", "three"]) await me.hears(member, words);
  const isMarked = (style: "solid" | "none") =>
    expect(me.line("two").locator("div").first()).toHaveCSS("outline-style", style);
  await isMarked("none");
  await me.messageMenu("two");
  await isMarked("solid");
  await me.item("Reply").click();
  await isMarked("solid");
  await me.keys("Escape");
  await isMarked("none");
  // A press beside it only closes it.
  for (const [words, x] of [
    ["one", 4],
    ["three", 30],
  ] as const) {
    await me.line(words).click({ button: "right", position: { x, y: 12 } });
    await expect(menu(me)).toBeInViewport({ ratio: 1 });
    // The field is under the press, and stays as it is.
    const field = await placeOf(me.box);
    await me.mouse.click(field.right - 8, field.y + field.height / 2);
    await expect(menu(me)).toHaveCount(0);
    await expect(me.box).not.toBeFocused();
  }
});
