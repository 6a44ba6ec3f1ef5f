/** The newest line stays in view for a reader at the end, however the window and the parts around the list change. */
import assert from "node:assert/strict";
import { exact } from "./exact.mjs";
import { enter, line, log, newRoom, say, until, withPeople } from "./rooms.mjs";

/** Chooses the line to answer. */
async function answerTo(page, words) {
  await line(page, words).click({ button: "right", position: { x: 60, y: 12 } });
  await page.getByRole("menuitem", exact("Reply")).click();
  await page.getByRole("button", exact("Cancel reply")).waitFor();
}

/** Says so many lines, and waits until `page` has them and is at rest: those beyond its edges are drawn then. */
async function talks(other, page, count) {
  for (let at = 0; at < count; at += 1) await say(other, `line ${at}`);
  await line(page, `line ${count - 1}`).waitFor();
  await page.waitForTimeout(1500);
}

/** How far the list is from its end. */
const fromEnd = (page) =>
  log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

/** What makes the list lower and high again, and leaves everything as it was. */
const SHRINKS = {
  "the reply bar": async (page) => {
    await answerTo(page, "line 29");
    await page.waitForTimeout(300);
    await page.getByRole("button", exact("Cancel reply")).click();
    await page.getByText(/^Replying to /).waitFor({ state: "detached" });
  },
  "the list of members": async (page) => {
    const members = page.getByRole("button", { name: /here now/ });
    await members.click();
    await page.getByRole("region", exact("Who’s here")).waitFor();
    await page.waitForTimeout(300);
    await members.click();
    await page.getByRole("region", exact("Who’s here")).waitFor({ state: "detached" });
  },
  "a phone's keyboard": async (page) => {
    const { width, height } = page.viewportSize();
    await page.setViewportSize({ width, height: 500 });
    await page.waitForTimeout(300);
    await page.setViewportSize({ width, height });
  },
};

export const following = {
  "following: the newest line is seen after the list was lower for a while": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await talks(other, page, 30);
      for (const [what, shrink] of Object.entries(SHRINKS)) {
        await shrink(page);
        await page.waitForTimeout(300);
        await say(other, `after ${what}`);
        await line(page, `after ${what}`).waitFor();
        await page.waitForTimeout(300);
        assert.ok((await fromEnd(page)) < 2, `${what}: the end is ${await fromEnd(page)} px away`);
      }

      // Who scrolled up stays where they are, and is told.
      await log(page).hover();
      await page.mouse.wheel(0, -900);
      await page.getByRole("button", exact("Jump to latest")).waitFor();
      await page.waitForTimeout(300);
      const place = () => line(page, "line 16").evaluate((row) => row.getBoundingClientRect().top);
      const before = await place();
      for (const shrink of [SHRINKS["the list of members"], SHRINKS["a phone's keyboard"]])
        await shrink(page);
      await say(other, "unseen");
      await page.getByRole("button", exact("1 new. Jump to latest")).waitFor();
      assert.ok(Math.abs((await place()) - before) < 2, "a line moved");
    });
  },

  "following: a list that gets longer by itself shows the way to its end": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await talks(other, page, 25);
      await log(page).hover();
      await page.mouse.wheel(0, -300);
      await until("scrolled up", async () => (await fromEnd(page)) > 200);
      const toEnd = page.getByRole("button", { name: /Jump to latest$/ });
      assert.equal(await toEnd.count(), 0);
      for (let at = 0; at < 20; at += 1) await say(other, `later ${at}`);
      await page.getByRole("button", exact("20 new. Jump to latest")).waitFor();

      // So it does when it is the box that gets lower, and it goes when that is high again.
      await toEnd.click();
      await line(page, "later 19").waitFor();
      await toEnd.waitFor({ state: "detached" });
      // The list makes sure of its end for a moment.
      await page.waitForTimeout(500);
      await page.mouse.wheel(0, -400);
      await until("scrolled up again", async () => (await fromEnd(page)) > 300);
      assert.equal(await toEnd.count(), 0);
      const { width, height } = page.viewportSize();
      await page.setViewportSize({ width, height: height - 300 });
      await toEnd.waitFor();
      await page.setViewportSize({ width, height });
      await toEnd.waitFor({ state: "detached" });
    });
  },

  "following: a quote leads to its message, and what comes meanwhile is counted": async ({
    browser,
    page,
    base,
  }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      for (let at = 0; at < 18; at += 1) await say(other, `line ${at}`);
      await answerTo(page, "line 17");
      for (let at = 18; at < 25; at += 1) await say(other, `line ${at}`);
      await line(page, "line 24").waitFor();
      await say(page, "far up");
      await page.waitForTimeout(1500);
      await answerTo(page, "line 24");
      await say(page, "in view");
      const marked = (words) => line(page, words).and(page.locator("[data-marked]"));
      const quoteIn = (words) => line(page, words).getByRole("button", { name: /^Reply to / });

      // In view, nothing scrolls, and a reader at the end stays there.
      await quoteIn("in view").click();
      await marked("line 24").waitFor();
      await say(other, "then ".repeat(40));
      await line(page, "then").waitFor();
      await page.waitForTimeout(300);
      assert.ok((await fromEnd(page)) < 2, `the end is ${await fromEnd(page)} px away`);

      // A little further up it is scrolled to, and the reader is told what came below.
      await quoteIn("far up").click();
      await marked("line 17").waitFor();
      await page.waitForTimeout(500);
      const left = await fromEnd(page);
      assert.ok(left > 100 && left < 500, `the end is ${left} px away`);
      assert.equal(await page.getByRole("button", { name: /Jump to latest$/ }).count(), 0);
      await say(other, "unseen");
      await until("the title", async () => (await page.title()).startsWith("(1) "));
      for (let at = 0; at < 9; at += 1) await say(other, `below ${at}`);
      await page.getByRole("button", exact("10 new. Jump to latest")).click();
      await line(page, "below 8").waitFor();
      await log(page).getByText("New", { exact: true }).waitFor();
      await until("the title", async () => !(await page.title()).startsWith("("));
    });
  },
};
