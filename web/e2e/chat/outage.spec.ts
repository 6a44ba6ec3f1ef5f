/** What is lost when the network, the server or the page goes: nothing. */
import type { Page } from "@playwright/test";
import {
  answerTo,
  box,
  enter,
  keptPictures,
  line,
  messages,
  picture,
  pictureIsWhole,
  say,
  showPictures,
  waitedForDays,
} from "../support/group.ts";
import { button, ICON, keptByWorker, PICTURE, sees } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

const sending = (page: Page) => page.getByText("Sending");

test("the server is killed in mid-conversation and comes back", async ({ page, server, group, join }) => {
  // As high as the whole conversation: what is scrolled out of sight isn't in the page.
  const viewport = { width: 390, height: 4000 };
  await page.setViewportSize(viewport);
  await enter(page, group);
  const all = [page, await join(group, { viewport }), await join(group, { viewport })];
  const wanted: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    for (const [who, person] of all.entries()) {
      wanted.push(`${who} says ${round}`);
      await say(person, `${who} says ${round}`);
    }
    if (round === 4) await server.kill();
    if (round === 8) await server.restart();
  }
  for (const person of all) {
    await expect(messages(person)).toHaveCount(wanted.length, { timeout: 60_000 });
    await expect(sending(person)).toHaveCount(0);
  }
  const told = await messages(page).allTextContents();
  expect([...told].sort()).toEqual([...wanted].sort());
  for (const person of all) await expect(messages(person)).toHaveText(told);
  for (const who of ["0 ", "1 ", "2 "]) {
    const own = (words: string) => words.startsWith(who);
    expect(told.filter(own)).toEqual(wanted.filter(own));
  }
});

test("the network is cut and comes back", async ({ page, context, group, join }) => {
  await enter(page, group);
  const other = await join(group);
  await say(page, "before");
  await expect(line(other, "before")).toBeVisible();
  await context.setOffline(true);
  await sees(page, "You’re offline. What you write will be sent when you’re back online.");
  await say(page, "in the tunnel", "still in it");
  await say(other, "where are you?");
  await expect(sending(page)).toHaveCount(2);
  await context.setOffline(false);
  await sees(page, "You’re back online. You didn’t miss anything.");
  for (const person of [page, other]) await expect(messages(person)).toHaveCount(4);
  await expect(line(other, "still in it")).toBeVisible();
  await expect(messages(page)).toHaveText(await messages(other).allTextContents());
  await expect(page.getByText("You’re back online.")).toHaveCount(0);
});

test("what was typed and what wasn't sent live through a reload", async ({ page, server, group, join }) => {
  await enter(page, group);
  await say(page, "first");
  // Without a server the page comes from its own worker.
  await keptByWorker(page);
  const other = await join(group);
  await expect(line(other, "first")).toBeVisible();
  await server.kill();
  await say(page, "said to nobody");
  await box(page).fill("half a sent");
  await page.reload();
  await sees(page, "Can’t reach the group");
  // The device has its network, and nobody has to tap.
  await expect(page.getByText("You’re offline")).toHaveCount(0);
  await server.restart();
  await expect(box(page)).toHaveValue("half a sent");
  for (const person of [page, other]) await expect(messages(person)).toHaveText(["first", "said to nobody"]);
});

test("a picture chosen without a network lives through a reload", async ({ page, context, group, join }) => {
  await enter(page, group);
  await keptByWorker(page);
  const other = await join(group);
  await say(other, "show us");
  await expect(line(page, "show us")).toBeVisible();
  await context.setOffline(true);
  await answerTo(page, "show us");
  await showPictures(page, [PICTURE], "the card");
  // It waits, as the words do; nothing has failed.
  await expect(line(page, "the card").getByText("Sending")).toBeVisible();
  await expect(button(page, "Retry")).toHaveCount(0);
  await page.reload();
  await sees(page, "Can’t reach the group");
  await waitedForDays(page);
  // It tries again by itself, and nobody has to tap.
  await context.setOffline(false);
  for (const person of [page, other]) {
    await expect(picture(person, "the card")).toBeVisible();
    await expect(button(person, "Retry")).toHaveCount(0);
    await pictureIsWhole(person);
  }
  await expect.poll(() => keptPictures(page), "nothing is kept of it").toBe(0);
  for (const person of [page, other]) {
    await person.reload();
    await expect(picture(person)).toHaveCount(1);
    await expect(button(line(person, "the card"), /Reply to .*show us/)).toBeVisible();
  }
});

test("what is written after a picture arrives after it, also over a lost connection and a reload", async ({
  page,
  context,
  group,
  join,
}) => {
  await enter(page, group);
  const other = await join(group);
  const arrived = (...all: string[]) => expect(messages(other)).toHaveText(all);
  let goOn = () => {};
  /** From here on uploads wait until one may go on. */
  const holdUploads = () => {
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return page.route("**/upload-image", async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
  };
  await holdUploads();
  await showPictures(page, [ICON], "one");
  await say(page, "two");
  await expect(messages(page)).toHaveText(["one", "two"]);
  // What must not arrive has had the time to.
  await other.waitForTimeout(1500);
  await arrived();
  goOn();
  await arrived("one", "two");

  // The connection goes while a picture is on its way, and then the page.
  await page.unroute("**/upload-image");
  await holdUploads();
  await showPictures(page, [ICON], "three");
  await say(page, "four");
  await context.setOffline(true);
  await say(page, "five");
  await expect(sending(page)).toHaveCount(3);
  await context.setOffline(false);
  await page.reload();
  goOn();
  await arrived("one", "two", "three", "four", "five");
  await expect(messages(page)).toHaveText(await messages(other).allTextContents());

  // One that is refused says so, and holds up nothing.
  await page.unroute("**/upload-image");
  await page.route("**/upload-image", (route) =>
    route.fulfill({ status: 507, json: { status: 507, message: "" } }),
  );
  await showPictures(page, [ICON], "six");
  await say(page, "seven");
  await arrived("one", "two", "three", "four", "five", "seven");
  await expect(button(page, "Retry")).toBeVisible();
  await page.unroute("**/upload-image");
  await button(page, "Retry").click();
  await arrived("one", "two", "three", "four", "five", "seven", "six");
});
