/** A new link for a running group: members stay, and the old link leads nowhere for others. */
import { createGroup } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("the creator gets a new link, members stay, and nobody new comes by the old one", async ({
  page,
  account,
  visitor,
}) => {
  const group = await createGroup(account);
  await page.enter(group);
  const member = await visitor();
  await member.enter(group);
  await member.sends("before");

  await page.moreMenu("New link");
  await expect(page.question).toContainText("No one new can join with the old link anymore.");
  await page.answerQuestion("New link");
  await page.sees("The old link no longer works. Copy the new one from the menu.");
  // What the creator copies from the address bar is the new link.
  await expect(page).not.toHaveURL(group.url);
  const link = page.url();
  expect(link).toMatch(/\/room\/[0-9a-f-]{36}$/);
  await page.overlays(0);
  await page.reload();
  await page.canTalk();
  await expect(page).toHaveURL(link);

  // A member notices nothing, and what they copy is the new link all the same, as is what they show to scan.
  await member.moreMenu("Copy invite link");
  await expect.poll(() => member.clipboard()).toBe(link);
  await member.moreMenu("Invite by QR code");
  await expect(member.dialog).toContainText(link.replace(/^https?:\/\//, ""));
  await member.escape();
  await expect(member).toHaveURL(link);

  // A member comes back by the old address, which becomes the new one.
  await member.sends("after");
  await expect(page.line("after")).toBeVisible();
  await member.goto(group.url);
  await member.canTalk();
  await expect(member.line("before")).toBeVisible();
  await expect(member).toHaveURL(link);
  await member.goBack();
  await member.goForward();
  await member.canTalk();

  const stranger = await visitor();
  await stranger.goto(group.url);
  await stranger.sees("It Looks Like This Group Has Expired");
  await stranger.goto(link);
  await stranger.canTalk();

  // The list of one's groups leads in by the new link, also in a browser that has no seat.
  await page.goto("/homepage?tab=groups");
  await expect(page.link(/^midnight tacos/)).toHaveAttribute("href", link);
  await stranger.goto("/");
  await expect(stranger.link(/^midnight tacos/)).toHaveAttribute("href", link);
});
