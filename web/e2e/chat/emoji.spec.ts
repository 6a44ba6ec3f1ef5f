/** The emoji panel, for devices that have no phone's keyboard. */
import { button } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const open = (page: AppPage) => page.button("Add an emoji");
const panel = (page: AppPage) => page.getByRole("dialog", { name: "Emoji", exact: true });
const kind = (page: AppPage, name: string) => panel(page).getByRole("group", { name, exact: true });

/** Waits until the search field of the panel has the focus, then types. */
async function typeIntoSearch(page: AppPage, words: string) {
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(words);
}

test("by keys, at the caret, undone, by mouse for several, and by their names", async ({ group, join }) => {
  const page = await join(group, { viewport: { width: 1280, height: 800 } });
  await page.box.fill("ab");
  await page.box.press("ArrowLeft");
  await open(page).press("Enter");
  await expect(page.getByRole("searchbox", { name: "Search emoji" })).toBeFocused();
  await page.keys("ArrowDown");
  expect(await page.focused()).toBe("😀");
  await page.keys("ArrowRight", "ArrowDown", "ArrowUp");
  expect(await page.focused()).toBe("😃");
  await page.keys("Enter");
  await expect(panel(page)).toHaveCount(0);
  await expect(page.box).toHaveValue("a😃b");
  expect(await page.box.evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(3);
  await page.keys("Control+z");
  await expect(page.box).toHaveValue("ab");
  await page.keys("Control+Shift+z");

  await open(page).click();
  await button(panel(page), "Food").click();
  for (const sign of ["🌮", "🌯"]) await button(kind(page, "Food"), sign).click();
  await expect(page.box).toHaveValue("a😃🌮🌯b");
  await page.box.press("Escape");
  await expect(panel(page)).toHaveCount(0);

  // Emoji are found by their names, with the keyboard alone. Enter chooses an emoji and sends no message.
  await page.box.fill("soup: ");
  await open(page).press("Enter");
  await typeIntoSearch(page, "taco");
  await expect(kind(page, "Found").getByRole("button")).toHaveText(["🌮"]);
  await expect(panel(page).getByRole("status")).toHaveText("1 emoji found");
  await page.keys("Enter");
  await expect(page.box).toHaveValue("soup: 🌮");
  await expect(page.box).toBeFocused();

  await open(page).press("Enter");
  await typeIntoSearch(page, "heart");
  await page.keys("ArrowDown", "ArrowRight");
  const second = await page.focused();
  await page.keys("ArrowUp");
  expect(await page.focused()).toBe("Search emoji");
  await page.keys("ArrowDown", "ArrowRight", "Enter");
  await expect(page.box).toHaveValue(`soup: 🌮${second}`);

  await open(page).press("Enter");
  await typeIntoSearch(page, "no such thing");
  await page.sees("No emoji found");
  await page.keys("Enter", "Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(page.box).toBeFocused();
  await expect(page.messages).toHaveCount(0);

  await page.reload();
  await open(page).click();
  await expect(kind(page, "Recent").getByRole("button")).toHaveText([second, "🌮", "🌯", "😃"]);

  // Escape and a click beside the panel close the panel and nothing else.
  await page.say("to be answered");
  await page.answerTo("to be answered");
  for (const close of [() => page.keys("Escape"), () => page.mouse.click(500, 120)]) {
    await open(page).click();
    await expect(panel(page)).toBeVisible();
    await close();
    await expect(panel(page)).toHaveCount(0);
    await expect(page.replyBar).toBeVisible();
  }
});
