/** The list of members: over the talk in a narrow window, beside it in a wide one. */
import { enter, line, log, membersButton, say, sent, showMembers, whoIsHere } from "../support/group.ts";
import { button, heading, overlays, placeOf, press } from "../support/page.ts";
import { expect, test } from "../support/test.ts";

test("in a wide window the members stand beside the talk", async ({ page, group, seats }) => {
  const [other] = await seats(group, 2);
  for (const [width, height] of [
    [1100, 700],
    [1280, 800],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    await enter(page, group);
    other.say(`first at ${width}`);
    await expect(line(page, `first at ${width}`)).toBeVisible();
    await say(page, `mine at ${width}`);
    await expect(sent(page, `mine at ${width}`)).toBeVisible();
    await expect(whoIsHere(page).getByText("here now")).toHaveCount(3);
    await expect(membersButton(page)).toBeHidden();
    await expect(whoIsHere(page).getByRole("button")).toHaveCount(0);
    await overlays(page, 0);
    // What lies above each other begins and ends at the same places.
    const place = (selector: string) => placeOf(page.locator(selector).last());
    const [side, top, talk] = [await place("#members"), await place("header"), await place("[role=log]")];
    const [face, me] = [await place("[role=log] [data-tone]"), await place("form [data-tone]")];
    const [mine, send] = [
      await place("[role=log] [data-mine] > div > div"),
      await place("form [type=submit]"),
    ];
    expect(Math.abs(face.x - me.x)).toBeLessThanOrEqual(2);
    expect(Math.abs(mine.right - send.right - 4)).toBeLessThanOrEqual(2);
    expect(Math.abs((await place("header a svg")).x - me.x)).toBeLessThanOrEqual(6);
    for (const beside of [talk, top]) expect(beside.right).toBeLessThanOrEqual(side.x);
    expect(side.right).toBe(width);
  }
});

test("a window that becomes wide takes the open list beside the talk, and keeps the focus", async ({
  page,
  group,
}) => {
  await page.goto("/about");
  await expect(heading(page, "About us")).toBeVisible();
  await enter(page, group);
  await showMembers(page);
  await button(whoIsHere(page), "Close list").focus();
  await overlays(page, 1);

  await page.setViewportSize({ width: 1280, height: 800 });
  await overlays(page, 0);
  await expect(whoIsHere(page)).toBeVisible();
  await expect(whoIsHere(page), "the focus stays in the list").toBeFocused();
  // Nothing lies over the talk: the key closes nothing, and neither does Back.
  await press(page, "Escape");
  await expect(whoIsHere(page)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(whoIsHere(page)).toBeHidden();
  await expect(membersButton(page)).toBeFocused();
  await overlays(page, 0);
  await showMembers(page);
  await overlays(page, 1);
  await page.goBack();
  await expect(whoIsHere(page)).toBeHidden();
  await page.goBack();
  await expect(heading(page, "About us")).toBeVisible();
});

test("the list of members slides over the talk, which stays where it is", async ({ group, join }) => {
  const page = await join(group, { reducedMotion: "no-preference" });
  await say(page, "stays here");
  await expect(sent(page, "stays here")).toBeVisible();
  await page.waitForTimeout(500);
  const height = () => log(page).evaluate((list) => list.clientHeight);
  const before = [await height(), await placeOf(line(page, "stays here"))];
  await page.evaluate(() => {
    document.addEventListener("transitionrun", ({ propertyName, target }) => {
      const { id } = target as Element;
      if (id === "members" && propertyName === "transform") document.body.dataset.slid = "yes";
    });
  });
  for (const show of [true, false]) {
    await page.evaluate(() => delete document.body.dataset.slid);
    await membersButton(page).click();
    await expect(page.locator("body"), "it slides").toHaveAttribute("data-slid", "yes");
    await expect(whoIsHere(page)).toBeVisible({ visible: show });
    expect([await height(), await placeOf(line(page, "stays here"))]).toEqual(before);
  }

  await page.emulateMedia({ reducedMotion: "reduce" });
  await showMembers(page);
  const moving = await whoIsHere(page).evaluate((list) => list.getAnimations().length);
  expect(moving, "nothing moves for who asked for less motion").toBe(0);
});
