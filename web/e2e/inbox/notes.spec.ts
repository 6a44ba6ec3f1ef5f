/** A note, from its writer to its reader. */
import { button, exactly, link, placeOf } from "../support/page.ts";
import { sendNotes, signedIn } from "../support/people.ts";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

const card = (page: AppPage, words: string) => page.cards.filter({ hasText: words });

/** Words of a note that is longer than its teaser. Such a note stays new until it is opened. */
const long = (words: string) => words + "\nand so on".repeat(8);

test("send a note, receive it live, read it, delete it", async ({ page, visitor, account }) => {
  await page.goto("/homepage");
  await expect(page.tab("Inbox")).toBeVisible();

  const sender = await visitor();
  await signedIn(sender.context(), account);
  const words = sender.getByLabel("Your anonymous note");
  await sender.goto(`/${account.username}`);
  await words.fill(long("<b>bold</b> see https://a.example/x?y=z 🦊"));
  await Promise.all([page.sees("You have a new anonymous note"), sender.button("Send it").click()]);
  await expect(sender.heading(`Anonymous Message Sent to ${account.username}`)).toBeFocused();
  await sender.link("Send another").click();
  await expect(words).toBeFocused();

  // After the notice, the badge and the card appear without a reload.
  await page.tab(/Inbox.*1 unread/).click();
  await page.waitForURL("**/homepage?tab=inbox");
  const note = page.cards;
  await expect(exactly(note, "New")).toBeVisible();
  await button(note, /^Read/).click();
  await expect(page.tab("Inbox")).toBeVisible();
  await expect(exactly(note, "New")).toHaveCount(0);
  await expect(link(note, "https://a.example/x?y=z")).toBeVisible();

  await page.reload();
  await expect(note).toBeVisible();
  await expect(page.exactly("New")).toHaveCount(0);
  await page.noteMenu(note, "Delete");
  await page.overlays(0);
  await page.sees("Note deleted");
  await page.reload();
  await page.sees("All quiet");
});

test("all of a closed note opens it", async ({ page, account }) => {
  await sendNotes(account, "the first of them", "the second of them", "the third of them");
  await page.goto("/homepage?tab=inbox");
  const third = card(page, "the third");
  const { x, y, height } = await placeOf(third.getByText("the third"));
  await page.mouse.click(x + 30, y + height / 2);
  await button(third, /^Close/).click();
  await expect(button(third, /./)).toHaveCount(4);
  await button(third, /^Capture as image/).click();
  await expect(page.dialog).toBeVisible();
  await page.keys("Escape");
});

test("an emptied inbox is empty in every window", async ({ page, context, account }) => {
  await sendNotes(account, long("the first of them"), long("the second of them"));
  const other = withSteps(await context.newPage());
  const windows = [page, other];
  for (const window of windows) {
    await window.goto("/homepage?tab=inbox");
    await expect(window.tab(/2 unread/)).toBeVisible();
  }
  // The notes are read first: to delete a note that was read must not change the unread count.
  for (const note of await page.cards.all()) await button(note, /^Read/).click();
  await expect(other.tab("Inbox")).toBeVisible();
  await page.moreMenu("Delete all");
  await page.answerQuestion("Cancel");
  await expect(page.cards).toHaveCount(2);
  await page.moreMenu("Delete all");
  await page.answerQuestion("Delete all");
  for (const window of windows) {
    await window.sees("All quiet");
    await expect(window.cards).toHaveCount(0);
  }
  await expect(page.heading("My Inbox")).toBeFocused();
  await sendNotes(account, long("the first of the new ones"));
  for (const window of windows) await expect(window.tab(/1 unread/)).toBeVisible();
});

test("a page that was open before the link was renewed still sends", async ({ page, visitor, person }) => {
  await page.goto(`/${person.username}`);
  await page.getByLabel("Your anonymous note").fill("written before, sent after");
  const owner = await visitor();
  await signedIn(owner.context(), person);
  await owner.goto("/settings");
  await owner.getByText("Advanced").click();
  await owner.button(/^Reset your link/).click();
  await owner.answerQuestion("Reset");
  await owner.sees("Your link has a new ID");
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
  await owner.goto("/homepage?tab=inbox");
  await owner.sees("written before, sent after");
});
