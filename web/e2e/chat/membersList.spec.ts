/** The list of members: over the talk in a narrow window, beside it in a wide one. */
import { button, placeOf } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("in a wide window the members stand beside the talk", async ({ page, group, seats }) => {
  const [other] = await seats(group, 2);
  for (const [width, height] of [
    [1100, 700],
    [1280, 800],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    await page.enter(group);
    await page.hears(other, `first at ${width}`);
    await page.sends(`mine at ${width}`);
    await expect(page.whoIsHere.getByText("here now")).toHaveCount(3);
    await expect(page.membersButton).toHaveAttribute("aria-expanded", "true");
    await expect(page.whoIsHere.getByRole("button")).toHaveCount(0);
    await page.overlays(0);
    // Parts that are above each other begin and end at the same places.
    const place = (selector: string) => placeOf(page.locator(selector).last());
    const [side, top, talk] = [await place("#members"), await place("header"), await place("[role=log]")];
    const [emoji, me] = [await place("[role=log] [data-tone]"), await place("form [data-tone]")];
    const [mine, send] = [
      await place("[role=log] [data-mine] > div > div"),
      await place("form [type=submit]"),
    ];
    expect(Math.abs(emoji.x - me.x)).toBeLessThanOrEqual(2);
    expect(Math.abs(mine.right - send.right - 4)).toBeLessThanOrEqual(2);
    expect(Math.abs((await place("header a svg")).x - me.x)).toBeLessThanOrEqual(6);
    for (const beside of [talk, top]) expect(beside.right).toBeLessThanOrEqual(side.x);
    expect(side.right).toBe(width);

    // When the list is closed, the talk gets its space. The list stays closed or open as the reader has chosen.
    await page.membersButton.click();
    await expect(page.whoIsHere).toHaveCount(0);
    await expect(page.membersButton).toHaveAttribute("aria-expanded", "false");
    expect((await place("[role=log]")).right).toBe(width);
    await page.membersButton.click();
    await expect(page.whoIsHere).toBeVisible();
    expect(await place("[role=log]")).toEqual(talk);
  }
});

test("a window that becomes wide takes the open list beside the talk", async ({ page, group }) => {
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  await page.enter(group);
  await page.showMembers();
  await button(page.whoIsHere, "Close list").focus();
  await page.overlays(1);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.overlays(0);
  await expect(page.whoIsHere).toBeVisible();
  await expect(page.whoIsHere, "the focus stays in the list").toBeFocused();
  // Here the list doesn't cover the talk, so neither Escape nor Back closes it.
  await page.keys("Escape");
  await expect(page.whoIsHere).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.whoIsHere).toBeHidden();
  await expect(page.membersButton).toBeFocused();
  await page.overlays(0);
  await page.showMembers();
  await page.overlays(1);
  await page.goBack();
  await expect(page.whoIsHere).toBeHidden();
  await page.goBack();
  await expect(page.heading("About us")).toBeVisible();
});

test("the list of members slides over the talk, which stays where it is", async ({ group, join }) => {
  const page = await join(group, { reducedMotion: "no-preference" });
  await page.sends("stays here");
  await page.waitForTimeout(500);
  const height = () => page.log.evaluate((list) => list.clientHeight);
  const before = [await height(), await placeOf(page.line("stays here"))];
  await page.evaluate(() => {
    document.addEventListener("transitionrun", ({ propertyName, target }) => {
      const { id } = target as Element;
      if (id === "members" && propertyName === "transform") document.body.dataset.slid = "yes";
    });
  });
  for (const show of [true, false]) {
    await page.evaluate(() => delete document.body.dataset.slid);
    await page.membersButton.click();
    await expect(page.locator("body"), "it slides").toHaveAttribute("data-slid", "yes");
    await expect(page.whoIsHere).toBeVisible({ visible: show });
    expect([await height(), await placeOf(page.line("stays here"))]).toEqual(before);
  }

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.showMembers();
  const moving = await page.whoIsHere.evaluate((list) => list.getAnimations().length);
  expect(moving, "nothing moves for who asked for less motion").toBe(0);
});

test("without a connection nobody is said to be here", async ({ me, context, other }) => {
  await me.hears(other, "hello");
  await me.showMembers();
  const here = me.whoIsHere.getByText("here now");
  await expect(here).toHaveCount(2);
  await expect(me.membersButton).toHaveAccessibleName("2 of 2 here now. Show members");
  const before = await placeOf(me.whoIsHere);
  await context.setOffline(true);
  await me.sees(/^You’re offline\./);
  await expect(here).toHaveCount(0);
  await expect(me.whoIsHere.getByText("away")).toHaveCount(0);
  await expect(me.membersButton).toHaveAccessibleName("2 members. Show members");
  expect((await placeOf(me.whoIsHere)).height, "nothing moves").toBe(before.height);
  await context.setOffline(false);
  await expect(here).toHaveCount(2);
});
