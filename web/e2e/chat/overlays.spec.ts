/** Menus, dialogs and notices: the focus, the page behind them, and several of them at once. */
import { button, PICTURE, placeOf } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const menu = (page: AppPage) => page.getByRole("menu");
const focusIsOn = (page: AppPage, what: string | RegExp) =>
  expect.poll(() => page.focused()).toMatch(typeof what === "string" ? new RegExp(`^${what}$`) : what);
const isReadOut = (page: AppPage, where: string, words: string) =>
  expect(page.locator(`${where} [aria-live=polite]`).getByText(words).first()).toBeAttached();

/** Opens the menu of the group with the keyboard, and presses more keys in it. */
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

  // Tab and Shift+Tab go on from the button of the menu, as if the menu had not been open.
  await openByKeys(page, "Shift+Tab");
  await expect(menu(page)).toHaveCount(0);
  await focusIsOn(page, /here now/);

  // A dialog keeps the focus inside. When it closes, the button of its menu has the focus again.
  await openByKeys(page, "i", "Enter");
  await expect(page.dialog).toBeVisible();
  for (let step = 0; step < 8; step += 1) {
    await page.keys("Tab");
    // After the last control of the dialog, the focus goes to the browser's own controls, outside of the page.
    expect(await page.evaluate(() => document.activeElement?.matches("body, dialog *, dialog"))).toBe(true);
  }
  await page.escape();
  await focusIsOn(page, "More");

  // A click beside a dialog closes it, but not a question. The corner of the window is always beside them.
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

  // When Enter has opened the menu, a second Enter chooses its first item.
  await openByKeys(page, "Enter");
  await expect(menu(page)).toHaveCount(0);
  await page.sees("Group link copied to clipboard");
  expect(await page.clipboard()).toBe(group.url);
  await page.box.focus();
  // When the mouse has opened the menu, no item has the focus.
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

  // In an empty field, ArrowUp moves the focus to the newest message. ArrowDown or Escape moves it back.
  await me.box.focus();
  for (const back of ["ArrowDown", "Escape"]) {
    await me.keys("ArrowUp");
    await focusIsOn(me, /to be answered/);
    await me.keys(back);
    await expect(me.box).toBeFocused();
  }
  await me.answerTo("to be answered");
  await expect(me.box).toHaveAttribute("aria-keyshortcuts", "ArrowUp");
  // In a field with words, ArrowUp moves the cursor, and the focus stays in the field.
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
  // If the focus was inside the list, it goes back to the button that opened the list.
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

test("new messages are read out in an open dialog, and old ones are not", async ({ me: page, member }) => {
  member.say("an old line");
  await isReadOut(page, "body", "an old line");
  await openByKeys(page, "i", "Enter");
  await expect(page.dialog).toBeVisible();
  member.say("a new line");
  await isReadOut(page, "dialog", "a new line");
  await expect(page.dialog.getByText("an old line")).toHaveCount(0);
  await page.escape();
  await expect(page.locator("body > [aria-live]").getByText("a new line")).toHaveCount(0);
  await expect(page.messages).toHaveText(["an old line", "a new line"]);
  member.say("Hello?");
  await isReadOut(page, "body", "Hello?");
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
  // A click beside the menu closes the menu and does nothing else.
  for (const [words, x] of [
    ["one", 4],
    ["three", 30],
  ] as const) {
    await me.line(words).click({ button: "right", position: { x, y: 12 } });
    await expect(menu(me)).toBeInViewport({ ratio: 1 });
    // The click is on the field, but the field must not get the focus.
    const field = await placeOf(me.box);
    await me.mouse.click(field.right - 8, field.y + field.height / 2);
    await expect(menu(me)).toHaveCount(0);
    await expect(me.box).not.toBeFocused();
  }
});
