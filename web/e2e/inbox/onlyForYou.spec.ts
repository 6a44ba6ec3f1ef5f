/** A note that is only for its recipient: a lock says so, and a picture of it is made after a question only. */
import { button } from "../support/page.ts";
import { sendNotes, sendOnlyFor } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("its card has a lock, and capturing it asks first", async ({ page, account }) => {
  await sendNotes(account, "This one is for everybody.");
  await sendOnlyFor(account, "This one is for you alone.");
  await page.goto("/homepage?tab=inbox");
  const [kept, open] = ["for you alone", "for everybody"].map((words) =>
    page.cards.filter({ hasText: words }),
  );
  await expect(kept.getByTitle("Only for you")).toBeVisible();
  await expect(open.getByTitle("Only for you")).toHaveCount(0);
  await button(kept, /^Capture as image/).click();
  await expect(page.question).toContainText("The sender asked you to keep this note to yourself.");
  await page.answerQuestion("Cancel");
  await expect(page.locator("canvas")).toHaveCount(0);
  await button(kept, /^Capture as image/).click();
  await page.answerQuestion("Make image");
  await expect(page.dialog.getByRole("img")).toBeVisible();
  await page.escape();
  await button(open, /^Capture as image/).click();
  await expect(page.dialog.getByRole("img")).toBeVisible();
});

test("the form says what the wish can do, and what it can't", async ({ page, person }) => {
  await page.goto(`/${person.username}`);
  await page.sees(`${person.username} can’t publish it, and is asked before making an image of it.`);
});
