/** The emoji one can choose where there is no phone's keyboard. */
import type { Page } from "@playwright/test";
import { answerTo, box, replyBar, say } from "../support/group.ts";
import { button, focused, press } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const open = (page: Page) => button(page, "Add an emoji");
const panel = (page: Page) => page.getByRole("dialog", { name: "Emoji", exact: true });
const kind = (page: Page, name: string) => panel(page).getByRole("group", { name, exact: true });

test("by keys, at the caret, undone, and by mouse for several", async ({ group, join }) => {
  const page = await join(group, { viewport: { width: 1280, height: 800 } });
  await box(page).fill("ab");
  await box(page).press("ArrowLeft");
  await open(page).press("Enter");
  await expect(panel(page)).toBeVisible();
  expect(await focused(page)).toBe("😀");
  await press(page, "ArrowRight", "ArrowDown", "ArrowUp");
  expect(await focused(page)).toBe("😃");
  await press(page, "Enter");
  await expect(panel(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue("a😃b");
  expect(await box(page).evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(3);
  await press(page, "Control+z");
  await expect(box(page)).toHaveValue("ab");
  await press(page, "Control+Shift+z");

  await open(page).click();
  await button(panel(page), "Food").click();
  for (const sign of ["🌮", "🌯"]) await button(kind(page, "Food"), sign).click();
  await expect(box(page)).toHaveValue("a😃🌮🌯b");
  await box(page).press("Escape");
  await expect(panel(page)).toHaveCount(0);

  await page.reload();
  await open(page).click();
  await expect(kind(page, "Recent").getByRole("button")).toHaveText(["🌯", "🌮", "😃"]);
});

test("Escape and a press beside it close nothing else", async ({ group, join }) => {
  const page = await join(group);
  await say(page, "to be answered");
  await answerTo(page, "to be answered");
  await open(page).click();
  await expect(panel(page)).toBeVisible();
  await press(page, "Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(replyBar(page)).toBeVisible();
  await expect(box(page)).toBeFocused();
  await open(page).click();
  await expect(panel(page)).toBeVisible();
  await page.mouse.click(195, 120);
  await expect(panel(page)).toHaveCount(0);
});
