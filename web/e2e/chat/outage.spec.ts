/** Nothing is lost when the network, the server or the page goes away. */
import { converse } from "../support/conversation.ts";
import { button, PICTURE } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("the server is killed in mid-conversation and comes back", async ({ page, server, group, join }) => {
  const viewport = { width: 390, height: 4000 };
  await page.setViewportSize(viewport);
  await page.enter(group);
  const all = [page, await join(group, { viewport }), await join(group, { viewport })];
  await converse(all, async (round) => {
    if (round === 4) await server.kill();
    if (round === 8) await server.restart();
  });
});

test("typed words, sent messages and pictures survive a reload", async ({ me, other, server, context }) => {
  // Without a server, as without a network, the page is loaded from its service worker.
  await me.keptByWorker();
  await me.hears(other, "show us");
  await server.kill();
  await me.say("said to nobody");
  await me.box.fill("half a sent");
  await me.reload();
  await me.sees("Can’t reach the group");
  // The device has a network, so the page tries again by itself.
  await expect(me.getByText("You’re offline")).toHaveCount(0);
  await server.restart();
  await expect(me.box).toHaveValue("half a sent");
  for (const person of [me, other]) await expect(person.messages).toHaveText(["show us", "said to nobody"]);

  await context.setOffline(true);
  await me.answerTo("show us");
  await me.showPictures([PICTURE], "the card");
  // The picture waits, as a message of words would. It has not failed.
  await expect(me.line("the card").getByText("Sending")).toBeVisible();
  await expect(me.button("Retry")).toHaveCount(0);
  await me.reload();
  await me.sees("Can’t reach the group");
  await me.keptPictures(true);
  // The page sends the picture by itself, without a tap on Retry.
  await context.setOffline(false);
  for (const person of [me, other]) {
    await expect(person.picture("the card")).toBeVisible();
    await expect(person.button("Retry")).toHaveCount(0);
    await person.isWhole("the card");
  }
  await expect.poll(() => me.keptPictures(), "nothing is kept of it").toBe(0);
  for (const person of [me, other]) {
    await person.reload();
    await expect(person.picture()).toHaveCount(1);
    await expect(button(person.line("the card"), /Reply to .*show us/)).toBeVisible();
  }
});
