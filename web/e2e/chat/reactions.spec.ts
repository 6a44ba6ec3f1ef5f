/** Reactions: two browsers, by finger, mouse and keyboard. */
import { expect } from "@playwright/test";
import { button, ICON, placeOf } from "../support/page.ts";
import { type AppPage, test } from "../support/test.ts";

const chips = (page: AppPage, words: string) => page.line(words).locator("[data-reaction]");
const shown = (page: AppPage, words: string) => expect(chips(page, words));
const atHand = (page: AppPage) => page.line(/./).getByRole("group", { name: "React", exact: true });

const TOUCH = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
const LONG_PRESS_MS = 480;

/** Rests with the mouse on a message, and presses one of the reactions that appear. */
async function hover(page: AppPage, words: string, name: string) {
  await page.mouse.move(0, 0);
  await page.line(words).locator("p, [data-fits]").first().hover();
  await button(atHand(page), name).click();
}

/** Chooses a heart for a message after the server is gone. */
async function reactsCutOff(page: AppPage, words: string, server: { kill: () => unknown }) {
  await page.line(words).waitFor();
  // A page that is cut off has what it loads only when it is needed.
  await page.keptByWorker();
  await server.kill();
  await page.sees("Connection lost. Reconnecting…");
  await page.messageMenu(words);
  await page.getByRole("menuitemcheckbox", { name: "heart" }).click();
}

/** Two quick taps. The times are set, because a busy machine sends the second one late. */
async function twice(page: AppPage, words: string) {
  const glass = await page.context().newCDPSession(page);
  const { x, y, height } = await placeOf(page.line(words).getByText(words));
  const began = Date.now() / 1000;
  for (const [at, type] of [
    [0, "touchStart"],
    [0.03, "touchEnd"],
    [0.12, "touchStart"],
    [0.15, "touchEnd"],
  ] as const) {
    const touchPoints = type === "touchStart" ? [{ x: x + 8, y: y + height / 2 }] : [];
    await glass.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp: began + at });
  }
  await glass.detach();
}

test("by two taps, a long press, the mouse and keys; a second time takes it back", async ({
  join,
  group,
}) => {
  const me = await join(group, TOUCH);
  const other = await join(group, { viewport: { width: 1280, height: 800 } });
  const name = await other.myEmoji.textContent();
  await me.say("shall we go");
  await other.say("who brings lime");

  // A finger: two taps are a heart, and two more take it back.
  await twice(me, "who brings lime");
  for (const page of [me, other]) await shown(page, "who brings lime").toHaveText(["❤️1"]);
  await twice(me, "who brings lime");
  for (const page of [me, other]) await shown(page, "who brings lime").toHaveCount(0);

  // A long press opens the menu with the reactions at hand above its entries.
  const finger = await me.finger();
  const { x, y } = await placeOf(me.line("who brings lime").getByText("who brings lime"));
  await finger.down(x + 8, y + 8);
  await expect(me.getByRole("menu")).toBeVisible();
  await finger.lift();
  await me.getByRole("menuitemcheckbox", { name: "laugh" }).tap();
  await shown(other, "who brings lime").toHaveText(["😂1"]);
  await expect(me.getByRole("menu")).toHaveCount(0);

  // The mouse: a bar over the message, or the chip itself.
  await hover(other, "shall we go", "thumbs-up");
  for (const page of [me, other]) await shown(page, "shall we go").toHaveText(["👍1"]);
  await expect(chips(other, "shall we go")).toHaveAttribute("aria-pressed", "true");
  await expect(chips(me, "shall we go")).toHaveAttribute("aria-pressed", "false");
  await expect(chips(me, "shall we go")).toHaveAttribute("title", new RegExp(`^${name}`));
  await chips(me, "shall we go").tap();
  for (const page of [me, other]) await shown(page, "shall we go").toHaveText(["👍2"]);
  await expect(other.line("shall we go")).toContainText("Reactions: 2 thumbs-ups");
  await chips(other, "shall we go").click();
  for (const page of [me, other]) await shown(page, "shall we go").toHaveText(["👍1"]);

  // Keys: the menu of a row, up to the reactions, and to all others behind them.
  await other.box.press("Shift+Tab");
  await other.log.focus();
  await other.keys("ArrowUp", "Enter");
  await expect(other.getByRole("menu")).toBeVisible();
  await other.keys("ArrowUp", "ArrowLeft");
  await expect.poll(other.focused).toBe("thank-you");
  await other.keys("Enter");
  await shown(me, "who brings lime").toHaveText(["😂1", "🙏1"]);
  await expect(other.getByRole("menu")).toHaveCount(0);
  await other.keys("Enter");
  await expect(other.getByRole("menu")).toBeVisible();
  await other.keys("ArrowUp", "Enter");
  await expect(other.getByRole("searchbox")).toBeFocused();
  await other.keyboard.type("taco");
  await other.keys("Enter");
  await shown(me, "who brings lime").toHaveText(["😂1", "🙏1", "🌮1"]);
  await expect(other.dialog).toHaveCount(0);
});

test("taps count while the list moves, as it does whenever a message comes", async ({
  join,
  group,
  seats,
}) => {
  const me = await join(group, TOUCH);
  const [member] = await seats(group, 1);
  member.sayLines(30);
  await me.line("line 29").waitFor();
  await me.log.evaluate((list) => {
    let by = 1;
    const move = () => {
      by = -by;
      list.scrollBy(0, by);
      requestAnimationFrame(move);
    };
    move();
  });
  await twice(me, "line 27");
  await shown(me, "line 27").toHaveText(["❤️1"]);
});

test("a finger that only stops the list opens no menu, and one that rests on a message then does", async ({
  join,
  group,
  seats,
}) => {
  const me = await join(group, TOUCH);
  const [member] = await seats(group, 1);
  member.sayLines(60);
  await me.line("line 59").waitFor();
  const finger = await me.finger();
  const place = () => me.log.evaluate((list) => list.scrollTop);
  const end = await place();
  await finger.flick(200, 200, 300);
  // The list goes on by itself for seconds. Meanwhile the page is too busy to hear of it.
  await me.evaluate(() => {
    const until = performance.now() + 300;
    while (performance.now() < until);
  });
  await finger.down(200, 400);
  await me.waitForTimeout(LONG_PRESS_MS + 300);
  expect(await place()).toBeLessThan(end - 350);
  await expect(me.getByRole("menu")).toHaveCount(0);
  await finger.lift();
  await me.waitForTimeout(300);
  await finger.down(200, 400);
  await expect(me.getByRole("menu")).toBeVisible();
  await finger.lift();
});

test("the fourth different one is refused kindly, a reload shows them, and unsending takes them along", async ({
  me,
  other,
}) => {
  await other.say("a good idea");
  await me.line("a good idea").waitFor();
  for (const name of ["thumbs-up", "heart", "laugh"]) {
    await me.messageMenu("a good idea");
    await me.getByRole("menuitemcheckbox", { name }).click();
  }
  await shown(other, "a good idea").toHaveText(["👍1", "❤️1", "😂1"]);
  await me.messageMenu("a good idea");
  await expect(me.getByRole("menu")).toContainText("❤️");
  await me.getByRole("menuitemcheckbox", { name: "wow" }).click();
  await me.sees("You can leave three reactions on a message. Take one away first.");
  await shown(me, "a good idea").toHaveText(["👍1", "❤️1", "😂1"]);
  await me.reload();
  await shown(me, "a good idea").toHaveText(["👍1", "❤️1", "😂1"]);
  await other.messageMenu("a good idea", "Unsend");
  for (const page of [me, other]) {
    await page.sees("Message removed");
    await expect(page.locator("[data-reaction]")).toHaveCount(0);
  }
});

test("a reaction is shown at once without a connection, and arrives when it is back", async ({
  me,
  other,
  server,
}) => {
  await other.say("are you there");
  await reactsCutOff(me, "are you there", server);
  await shown(me, "are you there").toHaveText(["❤️1"]);
  await server.restart();
  for (const page of [me, other]) await shown(page, "are you there").toHaveText(["❤️1"]);
  await other.reload();
  await shown(other, "are you there").toHaveText(["❤️1"]);
});

test("the bar is never cut off by the list's edge, and a gallery has it on each picture", async ({
  join,
  group,
}) => {
  const me = await join(group, { viewport: { width: 1280, height: 500 } });
  const other = await join(group, TOUCH);
  for (let n = 0; n < 30; n += 1) await other.say(`line ${n}, and more`);
  await other.showPictures([ICON, ICON, ICON], "our cats");
  await me.line("our cats").waitFor();
  await me.log.hover();
  await me.mouse.wheel(0, -300);
  await me.atRest();
  const list = await placeOf(me.log);
  const rows = me.log.getByRole("article");
  const tops = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
  const first = rows.nth(tops.findIndex((top) => top >= list.y + 1));
  await first.locator("p, [data-fits]").first().hover();
  const bar = await placeOf(atHand(me));
  expect(bar.y, "below the message, as there is no space above it").toBeGreaterThanOrEqual(list.y);
  const words = await first.locator("[data-fits]").first().textContent();
  // It lies over the next row.
  await button(atHand(me), "wow").click();
  await shown(other, words?.match(/line \d+, and more/)?.[0] ?? "").toHaveText(["😮1"]);

  const pictures = me.line("our cats").getByRole("button", { name: /^Photo by / });
  await me.mouse.wheel(0, 2000);
  await me.atRest();
  for (const [at, name, sign] of [
    [1, "thumbs-up", "👍1"],
    [2, "laugh", "😂1"],
  ] as const) {
    await pictures.nth(at).hover();
    await button(atHand(me), name).click();
    await expect(other.line("our cats").locator("[data-row]").nth(at)).toContainText(sign);
  }
  // Two taps beside the pictures react to the one that has the words.
  await twice(other, "our cats");
  await expect(me.line("our cats").locator("[data-row]").first()).toContainText("❤️1");
});

test("a reaction that was chosen without a connection is still sent after a reload", async ({
  me,
  other,
  server,
}) => {
  await other.say("are you there");
  await reactsCutOff(me, "are you there", server);
  await me.reload();
  await me.sees("Can’t reach the group");
  await server.restart();
  for (const page of [me, other]) await shown(page, "are you there").toHaveText(["❤️1"]);
});

test("a chip that appears leaves the reader's place, also far from the end", async ({ me, other }) => {
  for (let n = 0; n < 30; n += 1) await other.say(`line ${n}, and more`);
  await me.line("line 29, and more").waitFor();
  expect(await me.fromEnd()).toBeLessThan(2);
  await other.messageMenu("line 29, and more");
  await other.getByRole("menuitemcheckbox", { name: "heart" }).click();
  await shown(me, "line 29, and more").toHaveText(["❤️1"]);
  await expect.poll(me.fromEnd, "it still sees the end").toBeLessThan(2);

  await me.log.hover();
  await me.mouse.wheel(0, -400);
  const first = me.line("line 20, and more");
  await me.atRest();
  const before = await placeOf(first);
  await other.messageMenu("line 28, and more");
  await other.getByRole("menuitemcheckbox", { name: "laugh" }).click();
  await expect(chips(other, "line 28, and more")).toHaveCount(1);
  await other.say("done");
  await expect(me.toEnd).toBeVisible();
  expect((await placeOf(first)).y).toBeCloseTo(before.y, 0);
});
