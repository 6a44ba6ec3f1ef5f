/** The newest line stays in view for a reader at the end, however the window and the parts around the list change. */
import type { Page } from "@playwright/test";
import {
  answerTo,
  atEnd,
  enter,
  fromEnd,
  line,
  log,
  membersButton,
  replyBar,
  say,
  showMembers,
  toEnd,
  whoIsHere,
} from "../support/group.ts";
import type { Member } from "../support/members.ts";
import { button, exactly } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

/** The list makes sure of its end for a moment, and lines beyond its edges are drawn then. */
const atRest = (page: Page) => page.waitForTimeout(1000);

/** Says so many lines, and waits until `page` has them and is at rest. */
async function talks(other: Member, page: Page, count: number) {
  other.sayLines(count);
  await expect(line(page, `line ${count - 1}`)).toBeVisible();
  await atRest(page);
}

async function scrollUp(page: Page, by: number) {
  const before = await fromEnd(page);
  await log(page).hover();
  await page.mouse.wheel(0, -by);
  await expect.poll(() => fromEnd(page)).toBeGreaterThan(before + by * 0.6);
}

/** What makes the list lower and high again, and leaves everything as it was. */
const SHRINKS: Record<string, (page: Page) => Promise<void>> = {
  "the reply bar": async (page) => {
    await answerTo(page, "line 29");
    await page.waitForTimeout(300);
    await replyBar(page).click();
    await expect(replyBar(page)).toHaveCount(0);
  },
  "the list of members": async (page) => {
    await showMembers(page);
    await page.waitForTimeout(300);
    await membersButton(page).click();
    await expect(whoIsHere(page)).toBeHidden();
  },
  "a phone's keyboard": async (page) => {
    await page.setViewportSize({ width: 390, height: 500 });
    await page.waitForTimeout(300);
    await page.setViewportSize({ width: 390, height: 844 });
  },
};

test("the newest line is seen after the list was lower for a while", async ({ page, group, seats }) => {
  await enter(page, group);
  const [other] = await seats(group, 1);
  await talks(other, page, 30);
  for (const [what, shrink] of Object.entries(SHRINKS)) {
    await shrink(page);
    await page.waitForTimeout(300);
    other.say(`after ${what}`);
    await expect(line(page, `after ${what}`)).toBeVisible();
    await atEnd(page);
  }

  // Who scrolled up stays where they are, and is told.
  await scrollUp(page, 900);
  await expect(button(page, "Jump to latest")).toBeVisible();
  await page.waitForTimeout(300);
  const place = () => line(page, "line 16").evaluate((row) => row.getBoundingClientRect().top);
  const before = await place();
  for (const what of ["the list of members", "a phone's keyboard"]) await SHRINKS[what](page);
  other.say("unseen");
  await expect(button(page, "1 new. Jump to latest")).toBeVisible();
  expect(Math.abs((await place()) - before), "a line moved").toBeLessThan(2);
});

test("a list that gets longer by itself shows the way to its end", async ({ page, group, seats }) => {
  await enter(page, group);
  const [other] = await seats(group, 1);
  await talks(other, page, 25);
  await scrollUp(page, 300);
  await expect(toEnd(page)).toHaveCount(0);
  other.sayLines(20, "later");
  await expect(button(page, "20 new. Jump to latest")).toBeVisible();

  // So it does when it is the box that gets lower, and it goes when that is high again.
  await toEnd(page).click();
  await expect(line(page, "later 19")).toBeVisible();
  await expect(toEnd(page)).toHaveCount(0);
  await atRest(page);
  await scrollUp(page, 400);
  await expect(toEnd(page)).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 544 });
  await expect(toEnd(page)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(toEnd(page)).toHaveCount(0);
});

test("a quote leads to its message, and what comes meanwhile is counted", async ({ page, group, seats }) => {
  await enter(page, group);
  const [other] = await seats(group, 1);
  await talks(other, page, 18);
  await answerTo(page, "line 17");
  other.sayLines(7, "more");
  await expect(line(page, "more 6")).toBeVisible();
  await say(page, "far up");
  await expect(replyBar(page)).toHaveCount(0);
  await atRest(page);
  await answerTo(page, "more 6");
  await say(page, "in view");
  const marked = (words: string) => line(page, words).and(page.locator("[data-marked]"));
  const quoteIn = (words: string) => button(line(page, words), /^Reply to /);

  // In view, nothing scrolls, and a reader at the end stays there.
  await quoteIn("in view").click();
  await expect(marked("more 6")).toBeVisible();
  other.say("then ".repeat(40));
  await expect(line(page, "then")).toBeVisible();
  await atEnd(page);

  // A little further up it is scrolled to, and the reader is told what came below.
  await quoteIn("far up").click();
  await expect(marked("line 17")).toBeVisible();
  await page.waitForTimeout(500);
  const left = await fromEnd(page);
  expect(left).toBeGreaterThan(100);
  expect(left).toBeLessThan(500);
  await expect(toEnd(page)).toHaveCount(0);
  other.say("unseen");
  await expect(page).toHaveTitle(/^\(1\) /);
  other.sayLines(9, "below");
  await button(page, "10 new. Jump to latest").click();
  await expect(line(page, "below 8")).toBeVisible();
  await expect(exactly(log(page), "New")).toBeVisible();
  await expect(page).toHaveTitle(/^[^(]/);
});

test("a window that is high and low again within a frame is still followed to its end", async ({
  page,
  group,
  seats,
}) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await enter(page, group);
  const [other] = await seats(group, 1);
  await talks(other, page, 25);
  const lost = await log(page).evaluate((list) => {
    const screen = list.closest<HTMLElement>("[style*='--visible'], [class*=_screen_]");
    const before = list.scrollTop;
    screen?.style.setProperty("--visible", "844px");
    const after = list.scrollTop;
    screen?.style.setProperty("--visible", "100dvh");
    return before - after;
  });
  expect(lost, "pixels that the browser has scrolled by").toBeGreaterThan(300);
  await atEnd(page);
  other.say("seen at once");
  await expect(line(page, "seen at once")).toBeVisible();
  await atEnd(page);

  // Who scrolls up has left it.
  await scrollUp(page, 200);
  other.say("unseen");
  await expect(page).toHaveTitle(/^\(1\) /);
});
