/** Whole conversations: several people, each with a browser of their own. */
import {
  answerTo,
  box,
  enter,
  enterAsCreator,
  groupMenu,
  keysOf,
  line,
  log,
  membersButton,
  messageMenu,
  messages,
  picture,
  pictureIsWhole,
  replyBar,
  say,
  sent,
  showPictures,
  whoIsHere,
} from "../support/group.ts";
import {
  button,
  clipboard,
  dialog,
  exactly,
  ICON,
  item,
  link,
  mayUseClipboard,
  PICTURE,
  placeOf,
  press,
  saved,
  sees,
  sticksOut,
} from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("three people talk, with answers and pictures", async ({ page, newGroup, join }) => {
  const group = await newGroup("a group with a long name indeed".slice(0, 30));
  await enterAsCreator(page, group);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^a group with a long ?$/);
  await sees(page, new RegExp(`^Created .* by ${group.host.username}$`));
  expect(await keysOf(page, group)).toContain(group.id);
  const [second, third] = [await join(group), await join(group)];
  const all = [page, second, third];

  await say(page, "Who is still awake?");
  await say(second, "Me. <b>Obviously</b>");
  await say(third, "see https://a.example/x?y=z now");
  for (const person of all) await expect(messages(person)).toHaveCount(3);
  const told = await messages(page).allTextContents();
  for (const person of all) await expect(messages(person)).toHaveText(told);
  const shown = link(line(page, "a.example"), /a\.example/);
  await expect(shown).toHaveAttribute("target", "_blank");
  await expect(shown).toHaveAttribute("rel", "noopener noreferrer nofollow");

  // An answer: by the right button, with the bar filled and the quote a way back.
  await answerTo(second, "Who is still awake?");
  await sees(second, /^Replying to /);
  await expect(box(second)).toBeFocused();
  await say(second, "Always");
  await expect(second.getByText(/^Replying to [\w ]+$/)).toHaveCount(0);
  await button(line(third, "Always"), /Reply to .*Who is still awake/).click();
  await expect(line(third, "Who is still awake?").first().and(third.locator("[data-marked]"))).toBeVisible();

  // A picture with its caption; seen by the others, looked at, taken home.
  await showPictures(third, [PICTURE], "the card");
  for (const person of all) {
    await expect(picture(person, "the card")).toBeVisible();
    await pictureIsWhole(person);
  }
  await picture(page, "the card").click();
  const file = await saved(page, () => link(dialog(page), "Download").click());
  expect(file.name).toMatch(/^annon-\d+\.jpg$/);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(picture(page, "the card")).toBeFocused();

  // Two in a row arrive in that order; the arrow keys lead from one to the next.
  await showPictures(second, [ICON, PICTURE]);
  await expect(picture(page)).toHaveCount(3);
  await picture(page, "the card").click();
  for (const [key, place] of [
    ["", "1 of 3"],
    ["ArrowRight", "2 of 3"],
    ["ArrowLeft", "1 of 3"],
  ]) {
    if (key) await page.keyboard.press(key);
    await sees(dialog(page), place);
  }
});

test("copying, and counting what is new", async ({ page, group, seats }) => {
  await mayUseClipboard(page);
  await enter(page, group);
  await groupMenu(page, "Copy invite link");
  await sees(page, "Group link copied to clipboard");
  expect(await clipboard(page)).toBe(group.url);
  const [other] = await seats(group, 1);
  other.sayLines(40);
  await expect(line(page, "line 39")).toBeVisible();
  await messageMenu(page, "line 39", "Copy");
  await sees(page, "Message Copied to Clipboard");
  expect(await clipboard(page)).toBe("line 39");

  await log(page).hover();
  await page.mouse.wheel(0, -1500);
  await expect(button(page, "Jump to latest")).toBeVisible();
  other.say("down here");
  other.say("and here");
  const down = button(page, "2 new. Jump to latest");
  await expect(down).toBeVisible();
  await expect(page).toHaveTitle(/^\(2\) midnight tacos/);
  await down.click();
  await expect(line(page, "and here")).toBeVisible();
  await expect(exactly(log(page), "New")).toBeVisible();
  await expect(page).toHaveTitle(/^midnight tacos/);
  await expect(down).toHaveCount(0);
});

test("by keyboard alone", async ({ page, group, join }) => {
  await enter(page, group);
  const other = await join(group);
  await say(other, "one", "two");
  await showPictures(other, [ICON], "three");
  await expect(picture(page, "three")).toBeVisible();
  await box(page).focus();
  await page.keyboard.type("four");
  await press(page, "Shift+Enter");
  await page.keyboard.type("and a half");
  await press(page, "Enter");
  await expect(line(page, "four")).toBeVisible();
  await expect(box(page)).toHaveValue("");
  expect(await messages(page).allTextContents()).toContain("four\nand a half");

  await log(page).focus();
  await press(page, "ArrowUp", "ArrowUp", "ArrowUp");
  await expect(line(page, "two")).toBeFocused();
  await press(page, "Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await press(page, "Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(line(page, "two")).toBeFocused();
  await press(page, "Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  await press(page, "Enter");
  await expect(replyBar(page)).toBeVisible();
  await page.keyboard.type("five");
  await press(page, "Enter");
  await expect(button(line(page, "five"), /two/)).toBeVisible();

  await picture(page, "three").focus();
  await press(page, "Enter");
  await expect(dialog(page)).toBeVisible();
  await press(page, "Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(picture(page, "three")).toBeFocused();

  await membersButton(page).focus();
  await press(page, "Enter");
  await button(whoIsHere(page), "Close list").focus();
  await press(page, "Escape");
  await expect(membersButton(page)).toHaveAttribute("aria-expanded", "false");
  await expect(membersButton(page)).toBeFocused();
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
  await say(other, "swipe me");
  const slip = await placeOf(line(page, "swipe me"));
  const [x, y] = [slip.x + 90, slip.y + slip.height / 2];
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  /** It rests before it lets go: otherwise it is a fling, and the next tap would only stop that. */
  async function drag(...way: [number, number][]) {
    await touch("touchStart", { x, y });
    for (const [across, down] of [...way, way[way.length - 1]]) {
      await touch("touchMove", { x: x + across, y: y + down });
      await page.waitForTimeout(60);
    }
    await touch("touchEnd");
  }
  await drag([15, 0], [45, 2], [90, 3]);
  await expect(replyBar(page)).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-shaken", "50 ");
  await replyBar(page).tap();
  await expect(replyBar(page)).toHaveCount(0);

  // Up and down is scrolling, whatever it does sideways.
  await drag([5, -30], [60, -90]);
  await page.waitForTimeout(200);
  await expect(replyBar(page)).toHaveCount(0);

  // A long press opens the menu.
  await touch("touchStart", { x, y });
  await expect(page.getByRole("menu")).toBeVisible();
  await touch("touchEnd");
  await page.waitForTimeout(200);
  await item(page, "Reply").tap();
  await expect(replyBar(page)).toBeVisible();

  // Enter is a new line here; the button sends, and the keyboard stays. The phone has emoji of its own.
  await expect(button(page, "Add an emoji")).toHaveCount(0);
  await box(page).tap();
  await page.keyboard.type("a");
  await press(page, "Enter");
  await page.keyboard.type("b");
  await expect(box(page)).toHaveValue("a\nb");
  await button(page, "Send").tap();
  await expect(line(other, "b")).toBeVisible();
  await expect(box(page)).toBeFocused();
  expect(await sticksOut(page)).toBe(0);
});

test("who types is told in one line, however many they are", async ({ page, group, seats }) => {
  await enter(page, group);
  const members = await seats(group, 5);
  const told = page.locator("footer p").first();
  for (const [count, words] of [
    [1, / is typing$/],
    [3, /, .+ and .+ are typing$/],
    [5, /Several people are typing$/],
  ] as const) {
    // Those of before are told for four seconds.
    await expect(told).toHaveText("");
    for (const member of members.slice(0, count)) member.type();
    await expect(told.getByText(words)).toBeVisible();
    const lines = await told.evaluate(({ children }) =>
      [...children].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    expect(Math.max(...lines), `lines for ${count} typists`).toBe(1);
  }
});

test("what is sent has its time on it, and no seconds", async ({ page, group }) => {
  const times: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { message } = JSON.parse(String(payload));
      if (message.event === "event.chat") times.push(message.time);
    }),
  );
  await enter(page, group);
  await say(page, "What time is it?");
  await expect(sent(page, "What time is it?")).toBeVisible();
  expect(times).toEqual([expect.stringMatching(/^\d\d:\d\d:00\.000$/)]);
  const off = Date.now() - Date.parse(`${new Date().toISOString().slice(0, 11)}${times[0]}Z`);
  expect((off + 86_400_000) % 86_400_000).toBeLessThan(180_000);
});
