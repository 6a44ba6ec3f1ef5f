/** A personal page on a phone: what sends the note is in the first screen, and in view above the keyboard. */
import { placeOf } from "../support/page.ts";
import { setUpPage } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("with a line and three prompts, Send is in the first screen, and above the keyboard", async ({
  page,
  person,
}) => {
  await setUpPage(person, {
    line: "I play the cello, and I read what you recommend.",
    prompts: ["Ask me about music", "What should I read next?", "What did I get wrong?"],
  });
  // As high as a phone's window with the browser's own bars.
  await page.setViewportSize({ width: 390, height: 744 });
  await page.goto(`/${person.username}`);
  await page.sees("Ask me about music");
  const send = page.button("Send it");
  expect((await placeOf(send)).bottom).toBeLessThanOrEqual(744);
  const words = page.getByLabel("Your anonymous note");
  await words.focus();
  // The keyboard takes the lower half.
  await page.setViewportSize({ width: 390, height: 380 });
  await expect.poll(async () => (await placeOf(send)).bottom).toBeLessThanOrEqual(380);
  expect((await placeOf(words)).y).toBeGreaterThanOrEqual(0);
});
