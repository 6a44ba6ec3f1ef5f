/** A note gets a star, and is put away into the archive. */
import { askForAnswer, sayIn, sendNotes, signedIn } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const NOTES = ["the first of them", "the second of them", "the third of them"];
const card = (page: AppPage, words: string) => page.cards.filter({ hasText: words });
const star = (page: AppPage, words: string) => card(page, words).getByRole("button", { name: /^Star for/ });

async function opened(page: AppPage) {
  await page.goto("/homepage?tab=inbox");
  await expect(page.cards).toHaveCount(NOTES.length);
}

test("a star is one tap, and is there in another window and after a reload", async ({
  page,
  context,
  account,
}) => {
  await sendNotes(account, ...NOTES);
  const other = withSteps(await context.newPage());
  for (const window of [page, other]) await opened(window);
  await star(page, "the second").click();
  for (const window of [page, other])
    await expect(star(window, "the second")).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await page.button("Starred").click();
  await expect(page.cards).toHaveCount(1);
  await expect(page.cards).toContainText("the second of them");
  // By keyboard: the note goes, and the focus to the way there.
  await star(page, "the second").focus();
  await page.keys("Enter");
  await page.sees("No stars yet");
  await expect(page.heading("My Inbox")).toBeFocused();
  await page.button("Inbox").click();
  await expect(page.cards).toHaveCount(3);
});

test("an archived note is put away and counts as read, until that is undone", async ({ page, account }) => {
  await sendNotes(account, ...NOTES);
  await opened(page);
  await page.noteMenu(card(page, "the second"), "Archive");
  await expect(page.cards).toHaveCount(2);
  await expect(card(page, "the first")).toBeFocused();
  // F6 leads to a notice.
  await page.sees("Note archived");
  await page.keys("F6", "Enter");
  await expect(page.cards).toHaveCount(3);
  await expect(page.cards.nth(1)).toContainText("the second of them");
  await expect(page.cards.nth(1)).toBeFocused();

  for (const words of NOTES) await page.noteMenu(card(page, words), "Archive");
  await page.sees("All quiet");
  await page.reload();
  await page.sees("All quiet");
  await page.button("Archive").click();
  await expect(page.cards).toHaveCount(3);
  await page.noteMenu(card(page, "the third"), "Move to inbox");
  await expect(page.cards).toHaveCount(2);
  await page.button("Inbox").click();
  await expect(page.cards).toHaveCount(1);
});

test("a new line of its sender brings a note back", async ({ page, person }) => {
  const conversation = await askForAnswer(person, "You sat with me at lunch that day.");
  await signedIn(page.context(), person);
  await page.goto("/homepage?tab=inbox");
  await page.noteMenu(page.cards.first(), "Archive");
  await page.sees("All quiet");
  await sayIn(conversation, "sender", "And you made me laugh.");
  await expect(page.cards).toHaveCount(1);
  await expect(page.cards).toContainText("And you made me laugh.");
});

test("without the server, stars are shown and nothing is put away", async ({ page, context, account }) => {
  await sendNotes(account, ...NOTES);
  await opened(page);
  await star(page, "the first").click();
  await expect(star(page, "the first")).toHaveAttribute("aria-pressed", "true");
  // What is kept is kept a moment later.
  await page.waitForTimeout(800);
  await context.setOffline(true);
  await page.sees(/^You’re offline/);
  await page.noteMenu(card(page, "the second"), "Archive");
  await page.sees("Not possible until the server responds again.");
  await page.button("Starred").click();
  await expect(page.cards).toHaveCount(1);
});
