/** Windows that are low: a phone on its side, its keyboard, and a page that is zoomed until little of it is left. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { register, signedIn } from "./people.mjs";
import { box, enter, ICON, line, newRoom, PICTURE, say, until } from "./rooms.mjs";

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
      await within(page, page.getByRole("button", exact("Cancel reply")), "Cancel reply");
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
    await page.getByRole("button", { name: /Show members/ }).click();
    const seat = page.getByRole("region", exact("Who’s here")).getByRole("listitem").first();
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

  "low windows: what came of a note is on the screen": async ({ page, base }) => {
    await register(base, "low-reader");
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${base}/low-reader`);
    await page.getByLabel("Your anonymous message").fill("Written on a small phone.");
    const send = page.getByRole("button", exact("Send it"));
    // As far down as it goes.
    await page.mouse.wheel(0, 5000);
    await send.click();
    const sent = page.getByRole("heading", exact("Anonymous Message Sent to low-reader"));
    await sent.waitFor();
    await within(page, sent, "what came of it");
  },

  "low windows: a group can be created without scrolling, and is then on the screen": async ({
    page,
    context,
    base,
  }) => {
    await signedIn(context, base, await register(base, "low-creator"));
    // The last is a phone's with its keyboard.
    for (const [width, height] of [
      [390, 844],
      [390, 664],
      [360, 640],
      [390, 508],
    ]) {
      await page.setViewportSize({ width, height });
      // The same address again would be a reload, and that shows the group just made.
      await page.goto("about:blank");
      await page.goto(`${base}/room/new`);
      await page.getByLabel("Group name").pressSequentially("owls");
      const create = page.getByRole("button", exact("Create Group"));
      await within(page, create, "Create Group");
      await within(page, page.getByLabel("Group name"), "the name");
      await create.click();
      await page.getByRole("link", exact("Open Group")).waitFor();
      await within(page, page.getByRole("heading", { level: 1 }), "what came of it");
    }
  },

  "low windows: beside the keyboard of a phone on its side a whole message is in view": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 844, height: 390 });
    await enter(page, url);
    for (const words of ["one", "two", "three"]) await say(page, words);
    const last = line(page, "three");
    await last.getByTitle("Sent").waitFor();
    async function wholeAbove(height) {
      const [slip, head, foot] = [
        await last.locator("div").first().boundingBox(),
        await page.locator("header").boundingBox(),
        await page.locator("footer").boundingBox(),
      ];
      assert.ok(
        slip.y >= head.y + head.height,
        `it begins at ${slip.y}, the header ends at ${head.y + head.height}`,
      );
      assert.ok(slip.y + slip.height <= foot.y, `it ends at ${slip.y + slip.height}, below is ${foot.y}`);
      assert.ok(foot.y + foot.height <= height + 1, `the field ends at ${foot.y + foot.height} of ${height}`);
      const targets = await page.locator("header button, footer button").all();
      for (const button of targets) assert.ok((await button.boundingBox()).height >= 44);
    }
    /** The list follows a window that has changed when it is next drawn. */
    const settles = (height) =>
      until("a whole message", () =>
        wholeAbove(height).then(
          () => true,
          () => false,
        ),
      ).catch(() => wholeAbove(height));
    // Most browsers make the page smaller.
    await page.setViewportSize({ width: 844, height: 190 });
    await settles(190);
    // Safari lays the keyboard over it.
    await page.setViewportSize({ width: 844, height: 390 });
    await settles(390);
    await page.evaluate(() => {
      Object.defineProperty(window.visualViewport, "height", { get: () => 190 });
      window.visualViewport.dispatchEvent(new Event("resize"));
    });
    await settles(190);
  },
};
