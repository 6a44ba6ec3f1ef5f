/** A note's deletion can be undone for ten seconds. Leaving the page makes it final. */
import { until } from "../support/page.ts";
import { inboxOf, type Person, sendNotes } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const NOTES = ["the first of them", "the second of them", "the third of them"];
const card = (page: AppPage, words: string) => page.cards.filter({ hasText: words });
async function remove(page: AppPage, words: string) {
  await page.noteMenu(card(page, words), "Delete");
  await page.overlays(0);
}
const isGone = (account: Person, words: string) =>
  until(`${words} is deleted`, async () => !(await inboxOf(account)).includes(words));

test("each deletion can be undone in its place", async ({ page, account }) => {
  await sendNotes(account, ...NOTES);
  await page.goto("/homepage?tab=inbox");
  await remove(page, "the second");
  await remove(page, "the third");
  await expect(page.cards).toHaveCount(1);
  await expect(page.button("Undo")).toHaveCount(2);
  // Two keys are enough: the focus is on the button already.
  await page.keys("Enter");
  await expect(card(page, "the third")).toBeFocused();
  await page.button("Undo").click();
  await expect(page.cards).toHaveCount(3);
  await page.reload();
  await expect(page.cards).toHaveCount(3);
  expect(await inboxOf(account)).toHaveLength(3);
});

test("after ten seconds, and when the page is left, the note is gone in every window", async ({
  page,
  context,
  account,
}) => {
  await sendNotes(account, ...NOTES);
  const other = withSteps(await context.newPage());
  for (const window of [other, page]) {
    await window.goto("/homepage?tab=inbox");
    await expect(window.cards).toHaveCount(3);
  }
  await remove(page, "the first");
  await expect(card(other, "the first")).toBeVisible();
  await expect(page.button("Undo")).toHaveCount(0);
  await expect(card(other, "the first")).toHaveCount(0);
  expect(await inboxOf(account)).toHaveLength(2);

  await remove(page, "the second");
  await page.reload();
  await expect(page.cards).toHaveCount(1);
  await isGone(account, "the second of them");

  // Signing out is possible before ten seconds are over. The deletion was promised all the same.
  await remove(page, "the third");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.button(/^Log Out/).click();
  await page.answerQuestion("Log Out");
  await page.waitForURL("**/login");
  await isGone(account, "the third of them");
});

test("a deletion that the server doesn't take is made later", async ({ page, account }) => {
  await sendNotes(account, "the only one there is");
  await page.goto("/homepage?tab=inbox");
  await page.answers("**/api/message/*", 503);
  await remove(page, "the only one");
  await page.tab("Groups").click();
  await page.sees("Couldn’t delete the note yet.");
  await page.tab("Inbox").click();
  await page.sees("All quiet");
  await page.unrouteAll();
  await page.reload();
  await isGone(account, "the only one there is");
});
