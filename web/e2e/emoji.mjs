/** The emoji one can choose where there is no phone's keyboard. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { box, line, newRoom, say, withPeople } from "./rooms.mjs";

const button = (page) => page.getByRole("button", exact("Add an emoji"));
const panel = (page) => page.getByRole("dialog", exact("Emoji"));
const group = (page, name) => panel(page).getByRole("group", exact(name));
const focused = (page) => page.evaluate(() => document.activeElement?.textContent);
const caret = (page) => box(page).evaluate((field) => field.selectionStart);

export const emoji = {
  "emoji: by keys, at the caret, undone, and by mouse for several": async ({ browser, base }) => {
    const { url } = await newRoom(base);
    await withPeople(
      browser,
      url,
      1,
      async (page) => {
        await box(page).fill("ab");
        await box(page).press("ArrowLeft");
        await button(page).press("Enter");
        await panel(page).waitFor();
        assert.equal(await focused(page), "😀");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
        assert.equal(await focused(page), "😃");
        await page.keyboard.press("Enter");
        await panel(page).waitFor({ state: "detached" });
        assert.equal(await box(page).inputValue(), "a😃b");
        assert.equal(await caret(page), 3);
        await page.keyboard.press("Control+z");
        assert.equal(await box(page).inputValue(), "ab");
        await page.keyboard.press("Control+Shift+z");

        await button(page).click();
        await panel(page).getByRole("button", exact("Food")).click();
        await group(page, "Food").getByRole("button", exact("🌮")).click();
        await group(page, "Food").getByRole("button", exact("🌯")).click();
        assert.equal(await box(page).inputValue(), "a😃🌮🌯b");
        await box(page).press("Escape");
        await panel(page).waitFor({ state: "detached" });

        await page.reload();
        await button(page).click();
        const used = await group(page, "Recent").getByRole("button").allTextContents();
        assert.deepEqual(used, ["🌯", "🌮", "😃"]);
      },
      { viewport: { width: 1280, height: 800 } },
    );
  },

  "emoji: Escape and a press beside it close nothing else, and a phone has its own": async ({
    browser,
    base,
  }) => {
    const { url } = await newRoom(base);
    await withPeople(browser, url, 1, async (page) => {
      await say(page, "to be answered");
      await line(page, "to be answered").click({ button: "right", position: { x: 60, y: 12 } });
      await page.getByRole("menuitem", exact("Reply")).click();
      await page.getByRole("button", exact("Cancel reply")).waitFor();
      await button(page).click();
      await panel(page).waitFor();
      await page.keyboard.press("Escape");
      await panel(page).waitFor({ state: "detached" });
      assert.ok(await page.getByRole("button", exact("Cancel reply")).isVisible());
      assert.ok(await box(page).evaluate((field) => field === document.activeElement));
      await button(page).click();
      await panel(page).waitFor();
      await page.mouse.click(195, 120);
      await panel(page).waitFor({ state: "detached" });
    });
    await withPeople(
      browser,
      url,
      1,
      async (page) => {
        assert.equal(await button(page).count(), 0);
      },
      { hasTouch: true, isMobile: true },
    );
  },
};
