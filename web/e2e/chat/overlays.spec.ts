/** Menus, dialogs and notices: what they do with the focus, with what is behind them, and with one another. */
import type { Page } from "@playwright/test";
import {
  answerTo,
  box,
  canTalk,
  enter,
  enterAsCreator,
  groupMenu,
  line,
  membersButton,
  messageMenu,
  messages,
  more,
  picture,
  replyBar,
  say,
  sent,
  showMembers,
  showPictures,
  whoIsHere,
} from "../support/group.ts";
import {
  button,
  dialog,
  focused,
  ICON,
  item,
  PICTURE,
  placeOf,
  press,
  question,
  region,
  visit,
} from "../support/page.ts";
import { createGroup, sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const menu = (page: Page) => page.getByRole("menu");
const focusIsOn = (page: Page, what: string | RegExp) =>
  expect.poll(() => focused(page)).toMatch(typeof what === "string" ? new RegExp(`^${what}$`) : what);
const isHeard = (page: Page, where: string, words: string) =>
  expect(
    page.locator(`${where} [aria-live], ${where} > [aria-live]`).getByText(words).first(),
  ).toBeAttached();

async function closeByEscape(page: Page, closes: ReturnType<Page["locator"]>) {
  await press(page, "Escape");
  await expect(closes).toBeHidden();
}

/** By keys: the menu of the group, and what is chosen in it. */
async function openByKeys(page: Page, ...keys: string[]) {
  await more(page).focus();
  await press(page, "Enter");
  await expect(menu(page)).toBeVisible();
  await press(page, ...keys);
}

test("a group's menu and what it opens, by keyboard alone", async ({ page, group }) => {
  await enterAsCreator(page, group);
  await openByKeys(page, "End");
  await expect(more(page)).toHaveAttribute("aria-expanded", "true");
  for (const [key, name] of [
    ["", "Delete group"],
    ["ArrowDown", "Copy invite link"],
    ["i", "Invite by QR code"],
  ]) {
    if (key) await press(page, key);
    await focusIsOn(page, name);
  }
  await closeByEscape(page, menu(page));
  await focusIsOn(page, "More");

  // Tab goes on behind the button, as if there had been no menu.
  await openByKeys(page, "Shift+Tab");
  await expect(menu(page)).toHaveCount(0);
  await focusIsOn(page, /here now/);

  // A dialog keeps the focus inside, and gives it back to where its menu was opened.
  await openByKeys(page, "i", "Enter");
  await expect(dialog(page)).toBeVisible();
  for (let step = 0; step < 8; step += 1) {
    await press(page, "Tab");
    // Past its last control is the browser's own, where the page has no focus.
    expect(await page.evaluate(() => document.activeElement?.matches("body, dialog *, dialog"))).toBe(true);
  }
  await closeByEscape(page, dialog(page));
  await focusIsOn(page, "More");

  // A press beside it closes a dialog, but no question. No sheet reaches into the window's corner.
  await openByKeys(page, "End", "Enter");
  await expect(question(page)).toBeVisible();
  await focusIsOn(page, "Cancel");
  await page.mouse.click(4, 4);
  await expect(question(page)).toHaveCount(1);
  await closeByEscape(page, question(page));
  await focusIsOn(page, "More");
  await openByKeys(page, "i", "Enter");
  await expect(dialog(page)).toBeVisible();
  await page.mouse.click(4, 4);
  await expect(dialog(page)).toHaveCount(0);
  await focusIsOn(page, "More");
});

test("a menu that was opened by Enter does what the second Enter says, each time", async ({
  page,
  group,
}) => {
  await enterAsCreator(page, group);
  await say(page, "to be answered");
  await expect(sent(page, "to be answered")).toBeVisible();
  const copied = page.getByText("Group link copied");
  for (let time = 0; time < 2; time += 1) {
    await openByKeys(page, "Enter");
    await expect(menu(page)).toHaveCount(0);
    await expect(copied.first()).toBeVisible();
    await press(page, "F6");
    for (const notice of await button(region(page, "Notices"), /./).all()) await notice.click();
    await expect(copied).toHaveCount(0);
  }
  await more(page).focus();
  await press(page, "Space");
  await expect(menu(page)).toBeVisible();
  await focusIsOn(page, "Copy invite link");
  await closeByEscape(page, menu(page));

  // A message's.
  for (let time = 0; time < 2; time += 1) {
    await box(page).focus();
    await press(page, "ArrowUp", "Enter");
    await expect(menu(page)).toBeVisible();
    await press(page, "Enter");
    await expect(menu(page)).toHaveCount(0);
    await expect(replyBar(page)).toBeVisible();
    await expect(box(page)).toBeFocused();
    await closeByEscape(page, replyBar(page));
  }

  // Opened by hand, nothing in it is chosen beforehand.
  await groupMenu(page);
  await expect(item(page, /./).and(page.locator(":focus"))).toHaveCount(0);
});

test("each dialog begins with its first field, or with what only closes it", async ({
  page,
  account,
  join,
}) => {
  await sendNotes(account, "A note, to be looked at.");
  const group = await createGroup(account);
  async function begins(open: Promise<void>, first: RegExp) {
    await open;
    await expect(page.locator("dialog")).toBeVisible();
    await focusIsOn(page, first);
    await closeByEscape(page, page.locator("dialog"));
  }
  const click = (name: string | RegExp) => button(page, name).first().click();
  await visit(page, "/settings");
  await begins(click(/^Delete Account/), /^Your password$/i);
  await begins(click(/^Change Password/), /^Current password$/);
  await begins(click(/^Log Out/), /^Cancel$/);
  await begins(click(/^Renew your link/), /^Cancel$/);
  await visit(page, "/homepage");
  await begins(click("QR code"), /^Close/);
  await visit(page, "/homepage?tab=inbox");
  await begins(click(/^Delete all/), /^Cancel$/);
  await begins(click(/^Capture/), /^Close/);
  await visit(page, "/homepage?tab=groups");
  await begins(click(/^Delete (?!all)/), /^Cancel$/);

  await enter(page, group);
  const other = await join(group);
  await showPictures(other, [ICON]);
  await begins(groupMenu(page, "Invite by QR code"), /^Close/);
  for (const choice of ["Lock group", "Leave group", "Delete group"])
    await begins(groupMenu(page, choice), /^Cancel$/);
  await begins(picture(page).click(), /^Close/);
  await begins(page.setInputFiles("input[type=file]", [PICTURE]), /^Caption$/);
  await showMembers(page);
  await button(page, /: more$/).click();
  await begins(item(page, /^Remove /).click(), /^Cancel$/);
});

test("Escape closes one thing at a time, wherever the focus is, and the reply last", async ({
  page,
  group,
}) => {
  await enter(page, group);
  await say(page, "to be answered");
  await expect(sent(page, "to be answered")).toBeVisible();

  // With nothing written, up leads to the newest message, and down or Escape back.
  await box(page).focus();
  for (const back of ["ArrowDown", "Escape"]) {
    await press(page, "ArrowUp");
    await focusIsOn(page, /to be answered/);
    await press(page, back);
    await expect(box(page)).toBeFocused();
  }
  await answerTo(page, "to be answered");
  await expect(box(page)).toHaveAttribute("aria-keyshortcuts", "ArrowUp");
  // While something is written, it is the field's own key.
  await page.keyboard.type("words");
  await press(page, "ArrowUp");
  await expect(box(page)).toBeFocused();

  await page.setInputFiles("input[type=file]", [PICTURE]);
  await expect(dialog(page)).toBeVisible();
  await closeByEscape(page, dialog(page));
  await messageMenu(page, "to be answered");
  await closeByEscape(page, menu(page));
  for (const focus of [
    () => box(page).focus(),
    () => line(page, "to be answered").focus(),
    () => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
  ]) {
    await showMembers(page);
    await focus();
    const at = await page.evaluateHandle(() => document.activeElement);
    await closeByEscape(page, whoIsHere(page));
    expect(await at.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  // From inside, the focus goes back to what opened it.
  await showMembers(page);
  await button(whoIsHere(page), "Close list").focus();
  await closeByEscape(page, whoIsHere(page));
  await expect(membersButton(page)).toBeFocused();
  await expect(replyBar(page)).toBeVisible();

  await box(page).focus();
  await closeByEscape(page, replyBar(page));
  await expect(box(page)).toHaveValue("words");
  await expect(box(page)).toBeFocused();
  await page.reload();
  await canTalk(page);
  await expect(replyBar(page)).toHaveCount(0);
});

test("what is said meanwhile is heard in an open dialog, and nothing that was told before", async ({
  page,
  group,
  seats,
}) => {
  await enterAsCreator(page, group);
  const [other] = await seats(group, 1);
  other.say("an old line");
  await isHeard(page, "body", "an old line");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not now"));
    document.execCommand = () => false;
  });
  await groupMenu(page, "Copy invite link");
  await expect(region(page, "Notices").locator("[data-kind=error]")).toBeVisible();
  // By now it has been heard.
  await page.waitForTimeout(1200);
  await openByKeys(page, "i", "Enter");
  await expect(dialog(page)).toBeVisible();
  other.say("a new line");
  await isHeard(page, "dialog", "a new line");
  await expect(region(dialog(page), "Notices").locator("[data-kind]")).toHaveCount(0);
  await expect(dialog(page).getByText("an old line")).toHaveCount(0);
  await closeByEscape(page, dialog(page));
  await expect(page.locator("body > [aria-live]").getByText("a new line")).toHaveCount(0);
  await expect(messages(page)).toHaveText(["an old line", "a new line"]);
  other.say("Hello?");
  await isHeard(page, "body", "Hello?");
});

test("a message's menu stays in the window, and one press beside it only closes it", async ({
  page,
  group,
  seats,
}) => {
  await enter(page, group);
  const [other] = await seats(group, 1);
  for (const words of ["one", "two", "three"]) other.say(words);
  await expect(line(page, "three")).toBeVisible();
  for (const [words, x] of [
    ["one", 4],
    ["three", 30],
  ] as const) {
    await line(page, words).click({ button: "right", position: { x, y: 12 } });
    await expect(menu(page)).toBeInViewport({ ratio: 1 });
    // The field is under the press, and stays as it is.
    const field = await placeOf(box(page));
    await page.mouse.click(field.right - 8, field.y + field.height / 2);
    await expect(menu(page)).toHaveCount(0);
    await expect(box(page)).not.toBeFocused();
  }
});
