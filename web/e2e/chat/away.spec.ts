/** Pages that say why one isn't in a group: they know which group it was, and lead back to it. */
import { deleteGroup, register } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("a full group is named, also after a reload, and tells when a seat is free", async ({
  page,
  group,
  seats,
}) => {
  const members = await seats(group, 10);
  await page.clock.install();
  await page.goto("/about");
  await page.goto(group.url);
  await page.waitForURL("**/roomfull");
  await expect(page.heading("Sorry, It Looks Like This Group Is Full Already")).toBeVisible();
  await page.sees(group.name);
  await page.sees(`by ${group.host.username}`);
  await page.reload();
  await page.sees(group.name);
  await page.sees("This page tells you when a seat is free.");
  await page.link("Try again").click();
  // Nobody has left yet.
  await page.waitForURL("**/roomfull");
  await page.sees("This page tells you when a seat is free.");
  await page.goBack();
  await expect(page.heading("About us")).toBeVisible();
  await page.goForward();
  await page.sees("This page tells you when a seat is free.");

  await members[0]?.leave();
  await page.clock.fastForward(10_000);
  await page.sees("A seat is free.");
  await expect(page).toHaveTitle(/^A seat is free/);
  await page.link("Take the seat").click();
  await page.canTalk();
});

test("a group that its creator deletes says so, with what was being written", async ({ page, group }) => {
  await page.enter(group);
  await page.box.fill("half a sentence");
  await deleteGroup(group);
  await expect(page.heading("The creator has deleted this group")).toBeVisible();
  await page.sees(group.name);
  await page.sees("half a sentence");
  await page.button("Copy").click();
  await page.sees("Copied");
  expect(await page.clipboard()).toBe("half a sentence");
  await page.reload();
  await page.sees("half a sentence");
  await expect(page.link("Try again")).toHaveCount(0);
});

test("a link that leads to nobody says whose it was, and can be tried again", async ({ page, server }) => {
  const { username } = await register(server.base);
  await page.goto("/about");
  await page.goto(`/${username}x`);
  await page.waitForURL("**/error");
  await page.sees(`${username}x`);
  await page.sees("No one here goes by that name.");
  await page.reload();
  await page.sees(`${username}x`);
  await register(server.base, `${username}x`);
  await page.link("Try again").click();
  await expect(page.getByLabel("Your anonymous note")).toBeVisible();
  await page.goBack();
  await expect(page.heading("About us")).toBeVisible();
});
