/** What an owner sets against spam and cruelty, from their screens and from a sender's. */
import { button } from "../support/page.ts";
import { inboxOf, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

async function write(page: AppPage, to: string, words: string) {
  await page.goto(`/${to}`);
  await page.getByLabel("Your anonymous note").fill(words);
  await page.button("Send it").click();
}

const arrives = (page: AppPage, to: string) =>
  expect(page.heading(`Anonymous Message Sent to ${to}`)).toBeFocused();

test("a break: the page says so and sends nothing until it is over", async ({ page, visitor, account }) => {
  const sender = await visitor();
  await sender.goto(`/${account.username}`);
  const words = sender.getByLabel("Your anonymous note");
  await words.fill("a note to somebody who rests");
  await page.goto("/settings");
  const pause = page.getByRole("switch", { name: "Take a break" });
  await expect(pause).toHaveAttribute("aria-disabled", "false");
  await pause.click();
  await page.sees("Your page takes no notes now");
  await expect(pause).toBeChecked();

  await sender.button("Send it").click();
  await sender.sees("This person is taking a break from notes.");
  expect(await inboxOf(account)).toEqual([]);
  // There is nothing to fill in for those who come now. What was written before can be copied.
  await sender.reload();
  await sender.sees("Come back another day.");
  await expect(words).toHaveCount(0);
  await sender.sees("a note to somebody who rests");

  // Home and inbox remind the owner.
  await page.goto("/homepage");
  await page.sees("You’re on a break: your page takes no notes for now.");
  await page.goto("/homepage?tab=inbox");
  await page.button("Take notes again").click();
  await page.sees("Your page takes notes again");
  await expect(page.button("Take notes again")).toHaveCount(0);
  await sender.reload();
  // What was written is still there.
  await sender.button("Send it").click();
  await arrives(sender, account.username);
  expect(await inboxOf(account)).toEqual(["a note to somebody who rests"]);
});

test("words held back: such a note waits, and its owner shows or deletes it", async ({
  page,
  visitor,
  account,
}) => {
  await page.goto("/settings");
  await page.button(/^Words to hold back/).click();
  await page.getByLabel("One word or phrase a line").fill("pineapple\n\n go away ");
  await page.button("Save").click();
  await page.sees("Saved");
  await page.sees("2 words and phrases");

  const sender = await visitor();
  for (const words of ["PINEAPPLE belongs on pizza", "please go  away from here"]) {
    await write(sender, account.username, words);
    await arrives(sender, account.username);
  }
  expect(await inboxOf(account)).toEqual([]);

  await page.goto("/homepage?tab=inbox");
  await page.sees("All quiet");
  await page.button("More").click();
  await page.getByRole("menuitem", { name: "Held back" }).click();
  const rows = page.dialog.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(page.dialog.getByRole("heading", { name: "Held back: 2" })).toBeVisible();
  await button(rows.filter({ hasText: "PINEAPPLE" }), /^Show in inbox/).click();
  await page.sees("It’s in your inbox now");
  await button(rows, /^Delete/).click();
  await page.sees("Nothing is held back.");
  await page.keys("Escape");
  await expect(page.cards.filter({ hasText: "PINEAPPLE" })).toBeVisible();
  expect(await inboxOf(account)).toEqual(["PINEAPPLE belongs on pizza"]);
});

test("a block: whoever sent a note reaches nobody and isn’t told", async ({ page, visitor, account }) => {
  const [rude, kind] = [await visitor(), await visitor()];
  await signedIn(kind.context(), account);
  await write(rude, account.username, "a cruel note from somebody");
  await arrives(rude, account.username);

  await page.goto("/homepage?tab=inbox");
  await page.noteMenu(page.cards, "Block the sender");
  await expect(page.getByRole("alertdialog")).toContainText("they aren’t told");
  await page.button("Block").click();
  await page.sees("Blocked");

  await write(rude, account.username, "another cruel note from there");
  await arrives(rude, account.username);
  await write(kind, account.username, "a kind note from somebody else");
  await arrives(kind, account.username);
  await expect(page.cards.filter({ hasText: "a kind note" })).toBeVisible();
  expect(await inboxOf(account)).toEqual(["a kind note from somebody else", "a cruel note from somebody"]);

  await page.goto("/settings");
  await page.button(/^Blocked/).click();
  await expect(page.dialog).toContainText("a cruel note from somebody");
  await button(page.dialog, /^Unblock/).click();
  await page.sees("You aren’t blocking anyone.");
  await write(rude, account.username, "a third note from there");
  await arrives(rude, account.username);
  expect(await inboxOf(account)).toContain("a third note from there");
});

test("Forget me: a browser’s tag is another one from then on", async ({ page, account }) => {
  const tags: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/annon-message")) tags.push(request.postDataJSON().tag);
  });
  for (const words of ["a first note to oneself", "a second note to oneself"]) {
    await write(page, `${account.username}?view=others`, words);
    await arrives(page, account.username);
  }
  const secret = await page.evaluate(() => localStorage.getItem("annon.hand"));
  expect(secret).toMatch(/^[\w-]{43}$/);
  await page.goto("/privacy");
  // The server's page shows the button before the app is there.
  await expect(async () => {
    await page.button("Forget me").click();
    await expect(page.getByText("This browser has no tags now")).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(await page.evaluate(() => localStorage.getItem("annon.hand"))).toBeNull();
  await write(page, `${account.username}?view=others`, "a third note to oneself");
  await arrives(page, account.username);
  expect(tags[0]).toBe(tags[1]);
  expect(tags[2]).not.toBe(tags[0]);
  expect(JSON.stringify(tags)).not.toContain(secret);
});

test("under the shield a new sender’s browser works before the note is sent, and may stop", async ({
  page,
  visitor,
  account,
}) => {
  await page.goto("/settings");
  await page.radio("For new senders, always").check();
  await page.sees("Saved");

  const sender = await visitor();
  await write(sender, account.username, "a note that comes with work");
  await arrives(sender, account.username);
  expect(await inboxOf(account)).toEqual(["a note that comes with work"]);

  // Somebody else is asked for so much that it can't be done.
  const other = await visitor();
  let asked = 0;
  await other.route("**/api/annon-message", async (route) => {
    asked += 1;
    const shield = { seed: "A".repeat(34), bits: 48, until: "2026-07-04 12:30:00" };
    await route.fulfill({ status: 428, json: { status: 428, code: "work_needed", message: "", shield } });
  });
  await write(other, account.username, "a note that is stopped");
  await other.sees("This inbox is protected from spam. Your browser has to do a sum");
  await other.button("Stop").click();
  await other.sees("Stopped. Your note wasn’t sent.");
  await expect(other.getByLabel("Your anonymous note")).toHaveValue("a note that is stopped");
  expect(asked).toBe(1);
});

test("without scripts the page of an inbox under its shield says what it needs", async ({
  page,
  browser,
  account,
}) => {
  await page.goto("/settings");
  await page.radio("For new senders, always").check();
  await page.sees("Saved");
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: account.base });
  const sender = await context.newPage();
  await sender.goto(`/${account.username}`);
  await sender.getByLabel("Your anonymous note").fill("a note without scripts");
  await sender.getByRole("button", { name: "Send it" }).click();
  await expect(sender.getByText("Writing to it needs JavaScript")).toBeVisible();
  await expect(sender.getByLabel("Your anonymous note")).toHaveValue("a note without scripts");
  await context.close();
  expect(await inboxOf(account)).toEqual([]);
});
