/** Whole conversations: several people, each with a browser of their own. */
import { button, link, PICTURE, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("three people talk, with answers and pictures", async ({ page, group, join }) => {
  await page.enterAsCreator(group);
  await page.sees(new RegExp(`^Created .* by ${group.host.username}$`));
  expect(await page.keysOf(group)).toContain(group.id);
  const [second, third] = [await join(group), await join(group)];
  const all = [page, second, third];
  await expect(page.link("Back to My Groups")).toHaveAttribute("href", "/homepage?tab=groups");
  await expect(second.link("Back to home")).toHaveAttribute("href", "/");

  await page.say("Who is still awake?");
  await second.say("Me. Obviously.");
  await third.say("And me.");
  for (const person of all) await expect(person.messages).toHaveCount(3);
  await page.messageMenu("And me.", "Copy");
  await page.sees("Message Copied to Clipboard");

  // A reply, begun in the menu of the message. The reply bar says whom it is for.
  await second.answerTo("Who is still awake?");
  await second.sees(/^Replying to /);
  await expect(second.box).toBeFocused();
  await second.say("Always");
  await expect(second.getByText(/^Replying to [\w ]+$/)).toHaveCount(0);
  await expect(button(third.line("Always"), /Reply to .*Who is still awake/)).toBeVisible();

  // A picture with a caption is sent, shown to everybody, opened and downloaded.
  await third.showPictures([PICTURE], "the card");
  for (const person of all) {
    await expect(person.picture("the card")).toBeVisible();
    await person.isWhole("the card");
  }
  await page.picture("the card").click();
  const file = await page.saved(() => link(page.dialog, "Download").click());
  expect(file.name).toMatch(/^annon-\d+\.jpg$/);
  await page.escape();
  await expect(page.picture("the card")).toBeFocused();
});

test("with a finger, on a phone", async ({ group, join }) => {
  const page = await join(group, { hasTouch: true, isMobile: true });
  const other = await join(group);
  await page.evaluate(() => {
    navigator.vibrate = (pattern) => {
      document.body.dataset.shaken = `${document.body.dataset.shaken ?? ""}${pattern} `;
      return true;
    };
  });
  await other.say("swipe me");
  const row = await placeOf(page.line("swipe me"));
  const [x, y] = [row.x + 90, row.y + row.height / 2];
  const finger = await page.finger();
  // On a busy machine the finger may rest so long before it moves that the page sees a long press.
  await expect(async () => {
    await page.keys("Escape");
    await finger.drag(x, y, [15, 0], [45, 2], [90, 3]);
    await expect(page.replyBar).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.locator("body")).toHaveAttribute("data-shaken", /50 $/);
  await page.replyBar.tap();
  await expect(page.replyBar).toHaveCount(0);

  // A finger that moves up or down scrolls, even if it also moves sideways.
  await finger.drag(x, y, [5, -30], [60, -90]);
  await page.waitForTimeout(200);
  await expect(page.replyBar).toHaveCount(0);

  // A long press opens the menu, which leaves the message in view.
  await finger.down(x, y);
  const menu = await placeOf(page.getByRole("menu"));
  const pressed = await placeOf(page.line("swipe me"));
  expect(menu.y >= pressed.bottom || menu.bottom <= pressed.y, "the menu is beside the message").toBe(true);
  await finger.lift();
  await page.waitForTimeout(200);
  await page.item("Reply").tap();
  await expect(page.replyBar).toBeVisible();

  // On a phone, Enter begins a new line. The button sends, and the keyboard stays open. There is no emoji panel.
  await expect(page.button("Add an emoji")).toHaveCount(0);
  await page.box.tap();
  await page.keyboard.type("a");
  await page.keys("Enter");
  await page.keyboard.type("b");
  await expect(page.box).toHaveValue("a\nb");
  await page.button("Send").tap();
  await expect(other.line("b")).toBeVisible();
  await expect(page.box).toBeFocused();
  expect(await page.sticksOut()).toBe(0);
});

test("however many people type, one line shows it, and nothing moves", async ({ me, group, seats }) => {
  const members = await seats(group, 5);
  const { y } = await placeOf(me.box);
  expect(y - (await placeOf(me.locator("footer"))).y, "a band above the field").toBeLessThan(24);
  const typingLine = me.locator("footer p").first();
  for (const [count, words] of [
    [1, / is typing$/],
    [3, /, .+ and .+ are typing$/],
    [5, /Several people are typing$/],
  ] as const) {
    // The names of the round before are shown for four seconds.
    await expect(typingLine).toHaveText("");
    for (const member of members.slice(0, count)) member.type();
    await expect(typingLine.getByText(words)).toBeVisible();
    expect((await placeOf(me.box)).y).toBe(y);
    const lines = await typingLine.evaluate(({ children }) =>
      [...children].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    expect(Math.max(...lines), `lines for ${count} typists`).toBe(1);
  }
});
