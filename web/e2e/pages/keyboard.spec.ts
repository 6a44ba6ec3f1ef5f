/** The whole way through the app with the keyboard alone: nothing is clicked, and keys go to the focused element. */
import type { Locator } from "@playwright/test";
import { button, ICON } from "../support/page.ts";
import { PASSWORD, signedIn } from "../support/people.ts";
import { groupAskedFor, shownCode } from "../support/seal.ts";
import { type AppPage, expect, test } from "../support/test.ts";

/** No page needs more presses of Tab than this. */
const STOPS = 60;

const NOTE = "Did you ever find out who it was?";

/** Presses Tab, or another key, until `wanted` has the focus. */
async function goTo(page: AppPage, wanted: Locator, key = "Tab") {
  await expect(wanted).toBeVisible();
  const isThere = () => wanted.evaluate((one) => one === document.activeElement);
  for (let at = 0; at < STOPS && !(await isThere()); at += 1) await page.keyboard.press(key);
  await expect(wanted).toBeFocused();
}

async function press(page: AppPage, wanted: Locator, key?: string) {
  await goTo(page, wanted, key);
  await page.keyboard.press("Enter");
}

test("sign up, a group, a reply, a photo, and away", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/");
  await press(page, page.link("Sign Up").first());
  for (const [label, words] of [
    ["Username", "keys only"],
    ["Email", "keys-only@mail.example"],
    ["Password", PASSWORD],
  ]) {
    await goTo(page, page.getByRole("textbox", { name: label, exact: true }));
    await page.keyboard.type(words);
  }
  await page.keyboard.press("Enter");

  await page.sees("User Account Created");
  await page.waitForURL("**/homepage");

  await press(page, page.link("Create Group"));
  await goTo(page, page.getByLabel("Group name"));
  await page.keyboard.type("keys of the night");
  // Tab stops only once at the two choices; the arrow keys move between them.
  await goTo(page, page.radio("24 hours"));
  await page.keyboard.press("ArrowRight");
  await expect(page.radio("2 hours")).toBeChecked();
  await press(page, page.button("Create Group"));
  await press(page, page.link("Open Group"));
  await page.canTalk();

  await goTo(page, page.box);
  await page.keyboard.type("Is anybody here?");
  await page.keys("Shift+Enter");
  await page.keyboard.type("Or awake?");
  await page.keys("Enter");
  await expect(page.sent("Is anybody here?")).toBeVisible();
  expect(await page.messages.allTextContents()).toEqual(["Is anybody here?\nOr awake?"]);
  await page.sends("Hello?");
  await page.keys("ArrowUp", "ArrowUp");
  const question = page.line("Is anybody here?");
  for (const key of ["Enter", "Shift+F10"]) {
    await expect(question).toBeFocused();
    await page.keys(key);
    await expect(page.getByRole("menu")).toBeVisible();
    if (key === "Enter") await page.keys("Escape");
  }
  // The first item of the menu has the focus, and another Enter chooses it.
  await page.keys("Enter");
  await expect(page.replyBar).toBeVisible();
  await expect(page.box).toBeFocused();
  await page.keyboard.type("Only me.");
  await page.keys("Enter");
  await expect(page.line("Only me.").getByRole("button", { name: /Is anybody here/ })).toBeVisible();

  // It is waited for before the way there: a busy browser may hear of that later than of the Enter key.
  const files = page.waitForEvent("filechooser");
  await press(page, page.button("Add photos"));
  await (await files).setFiles(ICON);
  await goTo(page, page.dialog.getByLabel("Caption"));
  await page.keyboard.type("the keys");
  await page.keyboard.press("Enter");
  await expect(page.dialog).toHaveCount(0);
  await expect(page.sent("the keys")).toBeVisible();
  await press(page, page.picture("the keys"), "Shift+Tab");
  await expect(page.dialog).toBeVisible();
  await page.escape();
  await expect(page.picture("the keys")).toBeFocused();

  await press(page, page.more, "Shift+Tab");
  await press(page, page.item("Leave group"), "ArrowDown");
  await press(page, page.question.getByRole("button", { name: "Leave", exact: true }));
  await page.sees("You left the group");
});

test("a sealed inbox, a note to it, its code on another device, and an answer", async ({
  page,
  account,
  visitor,
}) => {
  await page.visit("/settings");
  const row = page.button(/^Seal your inbox/);
  await press(page, row);
  await press(page, button(page.dialog, "Seal my inbox"));
  await expect(page.heading("Your recovery code")).toBeVisible();
  await holdsFocus(page);
  const code = await shownCode(page);
  await press(page, button(page.dialog, "I’ve kept it"));
  const group = page.dialog.getByRole("textbox");
  await expect(group).toBeFocused();
  await page.keyboard.type("AAAAA");
  await page.keys("Enter");
  await page.sees(/^That isn’t the \w+ group/);
  await expect(group).toBeFocused();
  // Who wants to see the code again comes back to a field that is empty.
  await press(page, button(page.dialog, "Show the code again"));
  await holdsFocus(page);
  await press(page, button(page.dialog, "I’ve kept it"));
  await expect(group).toBeFocused();
  await page.keyboard.type(await groupAskedFor(page, code));
  await page.keys("Enter");
  await page.sees("This device has the key.");
  await holdsFocus(page);
  // Each thing that can be done leads back to where it was chosen.
  const newKey = button(page.dialog, /^New key/);
  await press(page, newKey);
  await page.escape(page.question);
  await expect(newKey).toBeFocused();
  await page.escape();
  await expect(row).toBeFocused();

  const sender = await visitor();
  await sender.goto(`${account.base}/${account.username}`);
  await sender.button("Sealed").waitFor();
  await expect(sender.getByLabel("Your anonymous note")).toBeFocused();
  await sender.keyboard.type(NOTE);
  await goTo(sender, sender.getByRole("switch", { name: "I’d like an answer" }));
  await sender.keys("Space");
  await press(sender, sender.button("Sealed"));
  await expect(sender.dialog).toBeVisible();
  await sender.escape();
  await expect(sender.button("Sealed")).toBeFocused();
  await press(sender, sender.button("Send it"), "Shift+Tab");
  await press(sender, sender.region("Your private link").getByRole("link"));
  await sender.sees(NOTE);

  const phone = await visitor();
  await signedIn(phone.context(), account);
  await phone.goto(`${account.base}/homepage?tab=inbox`);
  await press(phone, phone.button("Open with recovery code"));
  const field = phone.dialog.getByRole("textbox");
  await expect(field).toBeFocused();
  await phone.keyboard.type(`${code.startsWith("7") ? "8" : "7"}${code.slice(1)}`);
  await phone.keys("Enter");
  await phone.sees(/^One character is wrong/);
  await expect(field).toBeFocused();
  await phone.keys("Control+A");
  await phone.keyboard.type(code);
  await phone.keys("Enter");
  await expect(phone.exactly(NOTE)).toBeVisible();
  // The button that opened the dialog is gone with what it was about.
  await expect(phone.dialog).toHaveCount(0);
  await expect(phone.heading("My Inbox")).toBeFocused();
  await press(phone, phone.link(/^Answer the note/));
  await goTo(phone, phone.box);
  await phone.keyboard.type("It was me.");
  await phone.keys("Enter");
  await expect(sender.line("It was me.")).toBeVisible();
  await goTo(sender, sender.box);
  await sender.keyboard.type("I knew it.");
  await sender.keys("Enter");
  await expect(phone.line("I knew it.")).toBeVisible();
});

/** The focus is somewhere in the dialog, and can be seen. */
async function holdsFocus(page: AppPage) {
  await expect(page.dialog.locator(":focus-visible")).toHaveCount(1);
}
