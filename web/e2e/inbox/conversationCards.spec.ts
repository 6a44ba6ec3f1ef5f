/** Conversations in the inbox: each is the card of its note. */
import { broken, placeOf } from "../support/page.ts";
import { askForAnswer, endConversation, sayIn, sendNotes, signedIn } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("a conversation that the sender ends is marked as ended on its note's card", async ({
  page,
  person,
}) => {
  const conversation = await askForAnswer(person, "You sat with me at lunch that day.");
  await signedIn(page.context(), person);
  await page.goto("/homepage?tab=inbox");
  await expect(page.cards.getByText("Would like an answer")).toBeVisible();
  await endConversation(conversation, "sender");
  await expect(page.cards.getByText("Ended")).toBeVisible();
  await expect(page.link(/^Answer the note/)).toHaveCount(0);
});

test("four conversations don't push a new note off the screen", async ({ page, person }) => {
  for (const n of [1, 2, 3, 4])
    await sayIn(await askForAnswer(person, `Question number ${n} for you.`), "sender", "And one more line.");
  await sendNotes(person, "A note without a conversation.");
  await signedIn(page.context(), person);
  await page.goto("/homepage?tab=inbox");
  await expect(page.cards).toHaveCount(5);
  const note = page.cards.filter({ hasText: "A note without a conversation." });
  const { y, height } = await placeOf(note);
  expect(y + height).toBeLessThan(844);
});

for (const locale of ["en-GB", "de-DE"]) {
  test(`on a phone what the inbox shows is chosen in one row, in ${locale}`, async ({ visitor, person }) => {
    const conversation = await askForAnswer(person, "You sat with me at lunch that day.");
    await sayIn(conversation, "sender", "And one more line.");
    const page = await visitor({ locale, viewport: { width: 390, height: 844 } });
    await signedIn(page.context(), person);
    await page.goto("/homepage?tab=inbox");
    const choices = page.locator("fieldset button[aria-pressed]");
    await expect(choices).toHaveCount(4);
    await expect(choices.last().locator(".pill")).toBeVisible();
    const places = await Promise.all((await choices.all()).map(placeOf));
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(390 - 8);
    expect(await broken(choices)).toEqual([]);
  });
}
