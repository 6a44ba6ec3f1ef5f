/** Windows that are low: a phone on its side, its keyboard, and a page that is zoomed until little of it is left. */
import { answerTo, box, enter, line, more, replyBar, say, sent } from "../support/group.ts";
import { button, dialog, ICON, PICTURE, placeOf, press } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("a long answer can be sent", async ({ page, group }) => {
  await enter(page, group);
  await say(page, "question");
  await answerTo(page, "question");
  await box(page).fill("a\nb\nc\nd\ne\nf");
  for (const [width, height] of [
    [844, 200],
    [320, 256],
    [844, 390],
  ]) {
    await page.setViewportSize({ width, height });
    // With the header above them.
    for (const wanted of [button(page, "Send"), replyBar(page), more(page)])
      await expect(wanted).toBeInViewport({ ratio: 1 });
    const rows = await box(page).evaluate(({ clientHeight }) => clientHeight / 24);
    expect(rows, "whole rows").toBe(Math.max(1, Math.round(rows)));
  }
});

test("pictures can be sent without scrolling", async ({ page, group }) => {
  await enter(page, group);
  for (const files of [[PICTURE], [PICTURE, ICON, ICON]]) {
    await page.setInputFiles("input[type=file]", files);
    for (const [width, height] of [
      [844, 390],
      [640, 400],
    ]) {
      await page.setViewportSize({ width, height });
      await expect(button(dialog(page), "Send")).toBeInViewport({ ratio: 1 });
      await expect(dialog(page).getByRole("img").first()).toBeInViewport({ ratio: 1 });
    }
    await press(page, "Escape");
    await expect(dialog(page)).toHaveCount(0);
  }
});

test("beside the keyboard of a phone on its side a whole message is in view", async ({ page, group }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await enter(page, group);
  await say(page, "one", "two", "three");
  await expect(sent(page, "three")).toBeVisible();
  /** The list follows a window that has changed when it is next drawn. */
  const isWholeAbove = (height: number) =>
    expect(async () => {
      const slip = await placeOf(line(page, "three").locator("div").first());
      const foot = await placeOf(page.locator("footer"));
      expect(slip.y).toBeGreaterThanOrEqual((await placeOf(page.locator("header"))).bottom);
      expect(slip.bottom).toBeLessThanOrEqual(foot.y);
      expect(foot.bottom).toBeLessThanOrEqual(height + 1);
      expect((await placeOf(box(page))).width).toBeGreaterThanOrEqual(80);
      for (const one of await page.locator("header button:visible, footer button:visible").all())
        expect((await placeOf(one)).height).toBeGreaterThanOrEqual(44);
    }).toPass({ timeout: 20_000 });
  // Most browsers make the page smaller.
  await page.setViewportSize({ width: 844, height: 190 });
  await isWholeAbove(190);
  // So it is while one answers.
  await page.setViewportSize({ width: 844, height: 390 });
  await answerTo(page, "three");
  for (const width of [844, 667, 568]) {
    await page.setViewportSize({ width, height: 190 });
    await isWholeAbove(190);
  }
  await replyBar(page).click();
  // Safari lays the keyboard over it.
  await page.setViewportSize({ width: 844, height: 390 });
  await isWholeAbove(390);
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, "height", { get: () => 190 });
    window.visualViewport?.dispatchEvent(new Event("resize"));
  });
  await isWholeAbove(190);
});
