/** What the creator of a group may do, and what becomes of the others. */
import type { Page } from "@playwright/test";
import {
  enterAsCreator,
  groupMenu,
  line,
  log,
  messageMenu,
  say,
  showMembers,
  whoIsHere,
} from "../support/group.ts";
import {
  answerQuestion,
  button,
  dialog,
  focused,
  heading,
  item,
  press,
  region,
  sees,
} from "../support/page.ts";
import { expect, test } from "../support/test.ts";

/** What opens the menu of somebody in the list of members. */
const faces = (page: Page) => button(whoIsHere(page), /: more$/);

test("the creator locks, removes and deletes", async ({ page, group, join, visitor }) => {
  await enterAsCreator(page, group);
  const [second, third] = [await join(group), await join(group)];
  await groupMenu(page, "Lock group");
  await answerQuestion(page, "Lock");
  await sees(log(second), "The group is locked: no one else can join");
  const late = await visitor();
  await late.goto(group.url);
  await late.waitForURL("**/roomfull?why=locked");
  await expect(heading(late, "This group is locked")).toBeVisible();
  await expect(late).toHaveTitle("Group locked · Annon");
  await groupMenu(page, "Unlock group");
  await sees(log(second), "The group is unlocked");

  await say(second, "not that");
  await messageMenu(third, "not that");
  await expect(item(third, "Remove for everyone")).toHaveCount(0);
  await press(third, "Escape");
  await messageMenu(page, "not that", "Remove for everyone");
  for (const person of [page, second, third]) await expect(line(person, "Message removed")).toBeVisible();

  await say(third, "you can't stop me");
  await expect(line(second, "you can't stop me")).toBeVisible();
  await showMembers(page);
  const seats = whoIsHere(page).getByRole("listitem");
  await expect(seats).toHaveCount(3);
  // The third to come is the last of the three.
  await faces(page).last().click();
  await item(page, /^Remove /).click();
  await dialog(page).getByRole("checkbox").check();
  await button(dialog(page), "Remove").click();
  await expect(heading(third, "You were removed from this group")).toBeVisible();
  await expect(third).toHaveURL(/\/roomfull\?why=kicked$/);
  await sees(third, "Its creator removed you. You can’t come back with this browser.");
  // Out of a group, its name is out of the tab.
  await expect(third).toHaveTitle("Removed from the group · Annon");
  await expect(seats).toHaveCount(2);
  for (const person of [page, second]) {
    await sees(log(person), /was removed$/);
    await expect(line(person, "Message removed")).toHaveCount(2);
    await expect(line(person, "you can't stop me")).toHaveCount(0);
  }
  await third.goto(group.url);
  await third.waitForURL("**/roomfull?why=kicked");
  await expect(heading(third, "You were removed from this group")).toBeVisible();

  await groupMenu(page, "Delete group");
  await answerQuestion(page, "Delete");
  await page.waitForURL("**/homepage?tab=groups");
  await sees(page, "Group deleted");
  await second.waitForURL("**/expired");
  await sees(second, "Sorry, It Looks Like This Group Has Expired");
});

test("nobody is removed by accident", async ({ page, group, seats }) => {
  await enterAsCreator(page, group);
  await seats(group, 1);
  await showMembers(page);
  await expect(whoIsHere(page).getByRole("listitem")).toHaveCount(2);
  await expect(button(page, /^Remove /)).toHaveCount(0);
  await expect(faces(page)).toHaveCount(1);
  // Nothing of it is drawn before it is pointed at.
  await page.mouse.move(200, 700);
  const sign = faces(page).locator("svg");
  await expect(sign).toHaveCSS("opacity", "0");
  await faces(page).hover();
  await expect(sign).toHaveCSS("opacity", "1");
  await faces(page).click();
  await item(page, /^Remove /).click();
  await button(dialog(page), "Cancel").click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(whoIsHere(page).getByRole("listitem")).toHaveCount(2);
});

test("removing somebody by keys leads back to the list", async ({ page, group, join }) => {
  await enterAsCreator(page, group);
  const other = await join(group);
  await showMembers(page);
  async function remove() {
    await faces(page).focus();
    await press(page, "Enter");
    await expect(item(page, /^Remove /)).toBeVisible();
    await press(page, "Enter");
    await expect(dialog(page)).toBeVisible();
  }
  async function confirm() {
    await button(dialog(page), "Remove").focus();
    await press(page, "Enter");
    await expect(dialog(page)).toHaveCount(0);
  }
  await remove();
  await press(page, "Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(faces(page)).toBeFocused();

  // Refused: the dialog goes, and what went wrong is told where it can be heard and closed.
  await page.route("**/member/**", (route) =>
    route.fulfill({ status: 500, json: { status: 500, message: "No." } }),
  );
  await remove();
  await confirm();
  const notice = region(page, "Notices").locator("[data-kind=error]");
  await expect(notice).toBeVisible();
  await expect(page.locator("dialog [data-kind=error]")).toHaveCount(0);
  await button(notice, "Close").click();
  await expect(notice).toHaveCount(0);
  await page.unroute("**/member/**");

  await remove();
  await confirm();
  await sees(other, "You were removed from this group");
  await expect.poll(() => focused(page)).toBe("Close list");
});
