/** How a group's screen lies in its window: what opens over it, what moves in it and what stays where it is. */
import assert from "node:assert/strict";
import { withoutCookies } from "./browser.mjs";
import { exact } from "./exact.mjs";
import { box, enter, line, log, newRoom, say, until, withPeople } from "./rooms.mjs";

const fromEnd = (page) =>
  log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

async function answerTo(page, words) {
  await line(page, words).click({ button: "right", position: { x: 60, y: 12 } });
  await page.getByRole("menuitem", exact("Reply")).click();
  await page.getByRole("button", exact("Cancel reply")).waitFor();
}

export const groupScreen = {
  "group screen: a window that is high and low again within a frame is still followed to its end": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 390, height: 500 });
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      for (let at = 0; at < 25; at += 1) await say(other, `line ${at}`);
      await line(page, "line 24").waitFor();
      await page.waitForTimeout(1500);
      const lost = await log(page).evaluate((list) => {
        const screen = list.closest("[style*='--visible']") ?? list.closest("[class*=_screen_]");
        const before = list.scrollTop;
        screen.style.setProperty("--visible", "844px");
        const after = list.scrollTop;
        screen.style.setProperty("--visible", "100dvh");
        return before - after;
      });
      assert.ok(lost > 300, `the browser has scrolled by ${lost} px only`);
      await until("the end again", async () => (await fromEnd(page)) < 2, 3000);
      await say(other, "seen at once");
      await line(page, "seen at once").waitFor();
      await page.waitForTimeout(300);
      assert.ok((await fromEnd(page)) < 2, `the end is ${await fromEnd(page)} px away`);

      // Who scrolls up has left it.
      await log(page).hover();
      await page.mouse.wheel(0, -200);
      await until("scrolled up", async () => (await fromEnd(page)) > 150);
      await say(other, "unseen");
      await until("the title", async () => (await page.title()).startsWith("(1) "));
    });
  },

  "group screen: Escape closes what is open, wherever the focus is, before it does anything else": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await say(page, "to be answered");
    const members = page.getByRole("region", exact("Who’s here"));
    const cancel = page.getByRole("button", exact("Cancel reply"));
    const show = page.getByRole("button", { name: /Show members/ });
    await answerTo(page, "to be answered");
    for (const focus of [
      () => box(page).focus(),
      () => log(page).getByRole("article").first().focus(),
      () => page.evaluate(() => document.activeElement.blur()),
    ]) {
      await show.click();
      await members.waitFor();
      await focus();
      const focused = await page.evaluateHandle(() => document.activeElement);
      await page.keyboard.press("Escape");
      await members.waitFor({ state: "detached" });
      assert.ok(await focused.evaluate((element) => element === document.activeElement));
      assert.equal(await cancel.count(), 1);
    }
    await box(page).focus();
    await page.keyboard.press("Escape");
    await cancel.waitFor({ state: "detached" });
    // From inside, the focus goes back to what opened it.
    await show.click();
    await members.getByRole("button", exact("Close list")).focus();
    await page.keyboard.press("Escape");
    await members.waitFor({ state: "detached" });
    assert.ok(await show.evaluate((button) => button === document.activeElement));
  },

  "group screen: who one is stands in the header, and nowhere else": async ({ page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    assert.equal(await page.getByText(/^You are /).count(), 1);
    assert.equal(await page.getByTitle(/^You are /).count(), 0);
    assert.ok(
      await page
        .getByRole("banner")
        .getByText(/^You are /)
        .isVisible(),
    );
  },

  "group screen: what blocked cookies mean takes two lines of a phone": async ({ base }) => {
    const { url } = await newRoom(base);
    await withoutCookies(async (page) => {
      await page.addInitScript(() => {
        const language = new URL(location.href).hash === "#de" ? "de-DE" : "en-GB";
        Object.defineProperty(navigator, "languages", { get: () => [language] });
        Object.defineProperty(navigator, "language", { get: () => language });
      });
      for (const [hash, seat, copy] of [
        ["", /Your seat lives in this page only/, "Copy the link for another browser"],
        ["#de", /Dein Platz gilt nur auf dieser Seite/, "Link für anderen Browser kopieren"],
      ]) {
        await page.goto("about:blank");
        await page.goto(url + hash);
        const words = page.getByText(seat);
        await words.waitFor();
        for (const width of [390, 360, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          const rows = await words.evaluate(
            (text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
          );
          assert.ok(rows < 2.2, `${rows} rows at ${width} px`);
          assert.ok(await page.getByRole("button", exact(copy)).isVisible());
        }
      }
    });
  },

  "group screen: beside a phone's keyboard, a whole message is in view while one answers": async ({
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await page.setViewportSize({ width: 844, height: 390 });
    await enter(page, url);
    for (const words of ["one", "two", "three"]) await say(page, words);
    await line(page, "three").getByTitle("Sent").waitFor();
    await answerTo(page, "three");
    for (const width of [844, 667, 568]) {
      await page.setViewportSize({ width, height: 190 });
      await until(
        `the end at ${width} px`,
        async () =>
          (await fromEnd(page)) < 2 && (await log(page).evaluate((list) => list.clientHeight < 120)),
      );
      const [slip, head, foot] = [
        await line(page, "three").locator("div").first().boundingBox(),
        await page.locator("header").boundingBox(),
        await page.locator("footer").boundingBox(),
      ];
      assert.ok(slip.y >= head.y + head.height, `${slip.y} is under the header at ${width} px`);
      assert.ok(slip.y + slip.height <= foot.y, `${slip.y + slip.height} is under ${foot.y} at ${width} px`);
      assert.ok(foot.y + foot.height <= 191, `the field ends at ${foot.y + foot.height}`);
      const field = await box(page).boundingBox();
      assert.ok(field.width >= 80, `the field is ${field.width} px wide at ${width} px`);
      for (const button of await page.locator("footer button").all()) {
        if (await button.isVisible()) assert.ok((await button.boundingBox()).height >= 44);
      }
    }
  },
};
