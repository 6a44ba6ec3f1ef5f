/** Low windows: a phone on its side, a phone with its keyboard open, and a page that is zoomed in very far. */
import { button, ICON, PICTURE, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("the box grows to six rows, and a long answer and pictures can be sent", async ({ me }) => {
  for (const [count, rows] of Object.entries({ 0: 1, 1: 1, 2: 2, 6: 6, 10: 6 })) {
    await me.box.fill(Array.from({ length: Number(count) }, (_, at) => `row ${at}`).join("\n"));
    const size = await me.box.evaluate((field) => {
      const { offsetHeight, clientHeight, clientTop: above } = field as HTMLElement;
      return { rows: clientHeight / 24, above, below: offsetHeight - clientHeight - above };
    });
    expect(size).toEqual({ rows, above: 10, below: 10 });
  }
  // The last six of ten rows are in view. The cursor is less high than its row, so 2 pixels below it may be hidden.
  const hidden = await me.box.evaluate(({ scrollTop }) => scrollTop);
  expect(Math.abs(hidden - 4 * 24)).toBeLessThanOrEqual(2);

  await me.say("question");
  await me.answerTo("question");
  await me.box.fill("a\nb\nc\nd\ne\nf");
  for (const [width, height] of [
    [844, 200],
    [320, 256],
    [844, 390],
  ]) {
    await me.setViewportSize({ width, height });
    // `more` is in the header, so the header is in view as well.
    for (const wanted of [me.button("Send"), me.replyBar, me.more])
      await expect(wanted).toBeInViewport({ ratio: 1 });
    const rows = await me.box.evaluate(({ clientHeight }) => clientHeight / 24);
    expect(rows, "whole rows").toBe(Math.max(1, Math.round(rows)));
  }
  await me.replyBar.click();
  for (const files of [[PICTURE], [PICTURE, ICON, ICON]]) {
    await me.setInputFiles("input[type=file]", files);
    for (const [width, height] of [
      [844, 390],
      [640, 400],
    ]) {
      await me.setViewportSize({ width, height });
      await expect(button(me.dialog, "Send")).toBeInViewport({ ratio: 1 });
      await expect(me.dialog.getByRole("img").first()).toBeInViewport({ ratio: 1 });
    }
    await me.escape();
  }
});

test("beside the keyboard of a phone on its side a whole message is in view", async ({ page, group }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.enter(group);
  await page.sends("one", "two", "three");
  /** Waits, because the list only follows a change of the window when it is drawn next. */
  const isWholeAbove = (height: number) =>
    expect(async () => {
      const bubble = await placeOf(page.line("three").locator("div").first());
      const foot = await placeOf(page.locator("footer"));
      expect(bubble.y).toBeGreaterThanOrEqual((await placeOf(page.locator("header"))).bottom);
      expect(bubble.bottom).toBeLessThanOrEqual(foot.y);
      expect(foot.bottom).toBeLessThanOrEqual(height + 1);
      expect((await placeOf(page.box)).width).toBeGreaterThanOrEqual(80);
      for (const one of await page.locator("header button:visible, footer button:visible").all())
        expect((await placeOf(one)).height).toBeGreaterThanOrEqual(44);
    }).toPass({ timeout: 20_000 });
  // In most browsers the keyboard makes the page lower.
  await page.setViewportSize({ width: 844, height: 190 });
  await isWholeAbove(190);
  // The whole message is also in view while the reply bar is open.
  await page.setViewportSize({ width: 844, height: 390 });
  await page.answerTo("three");
  for (const width of [844, 667, 568]) {
    await page.setViewportSize({ width, height: 190 });
    await isWholeAbove(190);
  }
  await page.replyBar.click();
  // In Safari the keyboard covers a part of the page.
  await page.setViewportSize({ width: 844, height: 390 });
  await isWholeAbove(390);
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, "height", { get: () => 190 });
    window.visualViewport?.dispatchEvent(new Event("resize"));
  });
  await isWholeAbove(190);
});
