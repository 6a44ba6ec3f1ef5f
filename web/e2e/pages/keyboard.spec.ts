/** The whole way through the app with the keyboard alone: nothing is clicked, and keys go to the focused element. */
import type { Locator } from "@playwright/test";
import { ICON } from "../support/page.ts";
import { PASSWORD } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

/** No page needs more presses of Tab than this. */
const STOPS = 60;

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
