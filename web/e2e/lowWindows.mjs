/** Windows that are low: a phone on its side, its keyboard, and a page that is zoomed until little of it is left. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { box, enter, ICON, line, newRoom, PICTURE, say } from "./rooms.mjs";

/** Fails unless all of it is in the window. */
async function within(page, found, what) {
  const { x, y, width, height } = await found.boundingBox();
  const window = page.viewportSize();
  const place = `${what} lies at ${x}, ${y} in a window of ${window.width} × ${window.height}`;
  assert.ok(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height, place);
}

export const lowWindows = {
  "low windows: a long answer can be sent": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "question");
    await line(page, "question").click({ button: "right", position: { x: 60, y: 12 } });
    await page.getByRole("menuitem", exact("Reply")).click();
    await box(page).fill("a\nb\nc\nd\ne\nf");
    for (const [width, height] of [
      [844, 200],
      [320, 256],
      [844, 390],
    ]) {
      await page.setViewportSize({ width, height });
      await within(page, page.getByRole("button", exact("Send")), "Send");
      await within(page, page.getByRole("button", exact("Don’t answer")), "Don't answer");
      // Whole rows, and with the header above them.
      const rows = await box(page).evaluate(({ clientHeight }) => clientHeight / 24);
      assert.ok(Number.isInteger(rows) && rows >= 1, `${rows} rows are shown`);
      await within(page, page.getByRole("button", exact("More")).first(), "More");
    }
  },

  "low windows: the longest face's name stands in one line": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 320, height: 568 });
    await enter(page, url);
    await page.getByRole("button", { name: /Show the members/ }).click();
    const seat = page.getByRole("region", exact("Who is here")).getByRole("listitem").first();
    const { lines, room, needed } = await seat.evaluate((item) => {
      const name = item.querySelector("span + span");
      name.textContent = "Sonnenblume";
      const lines = name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight);
      return { lines: Math.round(lines), room: item.clientWidth, needed: name.scrollWidth };
    });
    assert.equal(lines, 1);
    assert.ok(needed <= room, `the name needs ${needed} of ${room} pixels`);
  },

  "low windows: pictures can be sent without scrolling": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    for (const files of [[PICTURE], [PICTURE, ICON, ICON]]) {
      await page.setInputFiles("input[type=file]", files);
      const dialog = page.getByRole("dialog");
      for (const [width, height] of [
        [844, 390],
        [640, 400],
      ]) {
        await page.setViewportSize({ width, height });
        await within(page, dialog.getByRole("button", exact("Send")), "Send");
        await within(page, dialog.getByRole("img").first(), "the picture");
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  },
};
