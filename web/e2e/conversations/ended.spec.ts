/** A conversation that ends while its page is open says who has ended it, and keeps what was being written. */
import { askForAnswer, deleteAccount, endConversation, signedIn } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const NOTE = "You sat with me at lunch that day.";

test("the other side ends it", async ({ page, person, visitor }) => {
  const conversation = await askForAnswer(person, NOTE);
  await page.goto(conversation.path);
  await page.sees(NOTE);
  await page.box.fill("half a sentence");
  await endConversation(conversation, "owner");
  await expect(page.heading("This conversation has ended")).toBeVisible();
  await page.sees(`It was ended on ${person.username}’s side.`);
  await page.button("Copy").click();
  expect(await page.clipboard()).toBe("half a sentence");

  const owner = await visitor();
  await signedIn(owner.context(), person);
  const other = await askForAnswer(person, NOTE);
  await owner.goto(`${person.base}/c/${other.id}`);
  await owner.box.fill("half an answer");
  await endConversation(other, "sender");
  await owner.sees("The person who wrote the note ended it.");
  await owner.sees("half an answer");
});

test("the owner deletes the account, while others write to them", async ({ page, person, visitor }) => {
  const conversation = await askForAnswer(person, NOTE);
  await page.goto(conversation.path);
  await page.box.fill("half a sentence");
  const guest = await visitor();
  await guest.goto(`${person.base}/${person.username}`);
  await guest.getByLabel("Your anonymous note").fill(NOTE);
  await deleteAccount(person);
  await page.sees(`${person.username} has deleted their account, and the conversation with it.`);
  await page.sees("half a sentence");
  await guest.button("Send it").click();
  await guest.sees(`${person.username} has deleted their account.`);
  await expect(guest.getByLabel("Your anonymous note")).toHaveValue(NOTE);
});
