/** What the creator of a group can do, and what the other members see of it. */
import { button, placeOf, sees } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

/** The buttons in the list of members. Each opens the menu of a member. */
const seatButtons = (page: AppPage) => button(page.whoIsHere, /^More options for /);

test("the creator locks, removes and deletes", async ({ page, group, join, visitor }) => {
  await page.enterAsCreator(group);
  const [second, third] = [await join(group), await join(group)];
  await page.moreMenu("Lock group");
  await page.answerQuestion("Lock");
  await sees(second.log, "The group is locked: no one else can join");
  const late = await visitor();
  await late.goto(group.url);
  await late.waitForURL("**/roomfull?why=locked");
  await page.moreMenu("Unlock group");
  await sees(second.log, "The group is unlocked");

  await second.say("not that");
  await third.messageMenu("not that");
  await expect(third.item("Remove for everyone")).toHaveCount(0);
  await third.keys("Escape");
  await page.messageMenu("not that", "Remove for everyone");
  for (const person of [page, second, third]) await expect(person.line("Message removed")).toBeVisible();

  await second.hears(third, "you can't stop me");
  await page.showMembers();
  const seats = page.whoIsHere.getByRole("listitem");
  await expect(seats).toHaveCount(3);
  // The member who came third is the last in the list.
  await seatButtons(page).last().click();
  await page.item(/^Remove /).click();
  await page.dialog.getByRole("checkbox").check();
  await button(page.dialog, "Remove").click();
  await expect(third.heading("You were removed from this group")).toBeVisible();
  await expect(third).toHaveURL(/\/roomfull\?why=kicked$/);
  await third.sees("Its creator removed you. You can’t come back with this browser.");
  await expect(seats).toHaveCount(2);
  for (const person of [page, second]) {
    await sees(person.log, /was removed$/);
    await expect(person.line("Message removed")).toHaveCount(2);
    await expect(person.line("you can't stop me")).toHaveCount(0);
  }
  await third.goto(group.url);
  await third.waitForURL("**/roomfull?why=kicked");

  await page.moreMenu("Delete group");
  await page.answerQuestion("Delete");
  await page.waitForURL("**/homepage?tab=groups");
  await page.sees("Group deleted");
  await second.waitForURL("**/roomfull?why=deleted");
  await second.sees("The creator has deleted this group");
});

test("nobody is removed by accident, and keys lead back to the list", async ({ page, group, join }) => {
  await page.enterAsCreator(group);
  const other = await join(group);
  await page.showMembers();
  await expect(page.whoIsHere.getByRole("listitem")).toHaveCount(2);
  await expect(page.button(/^Remove /)).toHaveCount(0);
  await expect(seatButtons(page)).toHaveCount(1);
  // Only the creator sees which seat is the creator's.
  for (const person of [page, other]) {
    await person.showMembers();
    const sign = person.whoIsHere.getByRole("img", { name: "You created this group", exact: true });
    await expect(sign).toHaveCount(person === page ? 1 : 0);
  }
  // The dots are visible all the time. They, the name and the rest of the seat open the menu.
  await page.mouse.move(200, 700);
  await expect(seatButtons(page).locator("svg")).toHaveCSS("opacity", "1");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.showMembers();
    const seat = page.whoIsHere.getByRole("listitem").filter({ has: page.getByRole("button") });
    for (const part of [seatButtons(page).locator("svg"), seat.getByText("here now"), seat]) {
      const { x, y, width, height } = await placeOf(part);
      await page.mouse.click(x + width / 2, y + height / 2);
      await expect(page.item(/^Remove /)).toBeVisible();
      await page.escape(page.getByRole("menu"));
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.showMembers();

  async function remove() {
    await seatButtons(page).focus();
    await page.keys("Enter");
    await expect(page.item(/^Remove /)).toBeVisible();
    await page.keys("Enter");
    await expect(page.dialog).toBeVisible();
  }
  async function confirm() {
    await button(page.dialog, "Remove").focus();
    await page.keys("Enter");
    await expect(page.dialog).toHaveCount(0);
  }
  await remove();
  await page.escape();
  await expect(seatButtons(page), "nobody is removed").toBeFocused();

  // When the server refuses, the dialog closes, and the error is a notice that can be read out and closed.
  await page.answers("**/member/**", 500);
  await remove();
  await confirm();
  const notice = page.region("Notices").locator("[data-kind=error]");
  await expect(notice).toBeVisible();
  await expect(page.locator("dialog [data-kind=error]")).toHaveCount(0);
  await button(notice, "Close").click();
  await expect(notice).toHaveCount(0);
  await page.unroute("**/member/**");

  await remove();
  await confirm();
  await other.sees("You were removed from this group");
  await expect.poll(() => page.focused()).toBe("Close list");
});
