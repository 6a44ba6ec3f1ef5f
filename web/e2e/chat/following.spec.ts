/** A reader at the end keeps seeing the newest message when the window or the parts around the list change. */
import type { Member } from "../support/members.ts";
import { button, exactly } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

/** Waits until the list has corrected its scroll position and drawn the rows beyond its edges. */
const settles = (page: AppPage) => page.waitForTimeout(1000);

/** Another member sends `count` messages. Waits until `page` shows them and its list is at rest. */
async function talks(other: Member, page: AppPage, count: number) {
  other.sayLines(count);
  await expect(page.line(`line ${count - 1}`)).toBeVisible();
  await settles(page);
}

async function scrollUp(page: AppPage, by: number) {
  const before = await page.fromEnd();
  await page.log.hover();
  await page.mouse.wheel(0, -by);
  await expect.poll(() => page.fromEnd()).toBeGreaterThan(before + by * 0.6);
}

/** A phone's keyboard opens and closes: the list gets lower, and then as high as before. */
async function keyboardComesAndGoes(page: AppPage) {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.waitForTimeout(300);
  await page.setViewportSize({ width: 390, height: 844 });
}

test("the newest line is seen after the list was lower for a while", async ({ me, member }) => {
  async function follows(words: string) {
    await me.waitForTimeout(300);
    await me.hears(member, words);
    await me.atEnd();
  }
  await talks(member, me, 30);
  await me.answerTo("line 29");
  await me.waitForTimeout(300);
  await me.replyBar.click();
  await follows("after the reply bar");
  await keyboardComesAndGoes(me);
  await follows("after the keyboard");

  // A reader who has scrolled up stays at the same place, and the button counts the new message.
  await scrollUp(me, 900);
  await expect(me.button("Jump to latest")).toBeVisible();
  await me.waitForTimeout(300);
  const place = () => me.line("line 16").evaluate((row) => row.getBoundingClientRect().top);
  const before = await place();
  await keyboardComesAndGoes(me);
  member.say("unseen");
  await expect(me.button("1 new. Jump to latest")).toBeVisible();
  expect(Math.abs((await place()) - before), "a line moved").toBeLessThan(2);

  // The button to the end also appears when new messages make the list longer.
  await me.toEnd.click();
  await me.atEnd();
  await settles(me);
  await scrollUp(me, 300);
  await expect(me.toEnd).toHaveCount(0);
  member.sayLines(20, "later");
  await expect(me.button("20 new. Jump to latest")).toBeVisible();

  // The button also appears when the window gets lower, and it disappears when the window is high again.
  await me.toEnd.click();
  await expect(me.line("later 19")).toBeVisible();
  await expect(me.toEnd).toHaveCount(0);
  await settles(me);
  await scrollUp(me, 400);
  await expect(me.toEnd).toHaveCount(0);
  await me.setViewportSize({ width: 390, height: 544 });
  await expect(me.toEnd).toBeVisible();
  await me.setViewportSize({ width: 390, height: 844 });
  await expect(me.toEnd).toHaveCount(0);
});

test("a quote leads to its message, and messages that come meanwhile are counted", async ({ me, member }) => {
  await talks(member, me, 18);
  await me.answerTo("line 17");
  member.sayLines(7, "more");
  await expect(me.line("more 6")).toBeVisible();
  await me.say("far up");
  await expect(me.replyBar).toHaveCount(0);
  await settles(me);
  await me.answerTo("more 6");
  await me.say("in view");
  const highlighted = (words: string) => me.line(words).and(me.locator("[data-highlighted]"));
  const quoteIn = (words: string) => button(me.line(words), /^Reply to /);

  // If the quoted message is in view, nothing scrolls, and a reader at the end stays at the end.
  await quoteIn("in view").click();
  await expect(highlighted("more 6")).toBeVisible();
  await me.hears(member, "then ".repeat(40));
  await me.atEnd();

  // If the quoted message is further up, the list scrolls to it, and new messages below are counted.
  await quoteIn("far up").click();
  await expect(highlighted("line 17")).toBeVisible();
  await me.waitForTimeout(500);
  const left = await me.fromEnd();
  expect(left).toBeGreaterThan(100);
  expect(left).toBeLessThan(500);
  await expect(me.toEnd).toHaveCount(0);
  member.say("unseen");
  await expect(me).toHaveTitle(/^\(1\) /);
  member.sayLines(8, "below");
  member.say(`for @${await me.myEmoji.textContent()}`);
  const end = me.button("10 new, and you were mentioned. Jump to latest");
  await expect(end).toHaveText(/^\s*@10\s*$/);
  await expect(me).toHaveTitle(/^\(@10\) /);
  await end.click();
  await expect(me.line("for @")).toBeVisible();
  await expect(exactly(me.log, "New")).toBeVisible();
  await expect(me.toEnd).toHaveCount(0);
  await expect(me).toHaveTitle(/^midnight tacos/);
});

test("a window that is high and low again within a frame is followed", async ({ page, group, member }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.enter(group);
  await talks(member, page, 25);
  const lost = await page.log.evaluate((list) => {
    const screen = list.closest<HTMLElement>("[style*='--visible'], [class*=_screen_]");
    const before = list.scrollTop;
    screen?.style.setProperty("--visible", "844px");
    const after = list.scrollTop;
    screen?.style.setProperty("--visible", "100dvh");
    return before - after;
  });
  expect(lost, "pixels that the browser has scrolled by").toBeGreaterThan(300);
  await page.atEnd();
  await page.hears(member, "seen at once");
  await page.atEnd();

  // A reader who scrolls up has left the end.
  await scrollUp(page, 200);
  member.say("unseen");
  await expect(page).toHaveTitle(/^\(1\) /);
});
