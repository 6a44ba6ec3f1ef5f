/** Notes that are answered in public, and what people set up of their own page. */
import { readFileSync } from "node:fs";
import { button, exactly } from "../support/page.ts";
import {
  answerInPublic,
  inboxOf,
  register,
  sendNotes,
  sendOnlyFor,
  setUpPage,
  tokenOf,
} from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const NOTE = "Will you play again this summer?";
const ANSWER = "On Friday,\nat the harbour. <b>Bring soup</b>";
const BOX = "Your anonymous note";

test("the whole way: answered, read on the page and at its link, saved as a picture, worded anew, taken down", async ({
  page,
  account,
  visitor,
}) => {
  await sendNotes(account, NOTE);
  await page.goto("/homepage?tab=inbox");
  await page.noteMenu(page.cards, "Answer in public");
  await expect(page.dialog.getByText(NOTE)).toBeVisible();
  // An empty answer is none.
  await page.dialog.getByRole("button", { name: "Publish answer" }).click();
  await page.sees("There is nothing in that answer.");
  await page.getByLabel("Your answer").fill(ANSWER);
  await page.dialog.getByRole("button", { name: "Publish answer" }).click();
  await page.sees("Answer published");
  await expect(page.cards.getByText("Public", { exact: true })).toBeVisible();
  await page.button(/^Read the note/).click();
  await button(page.cards, "Copy link").click();
  const link = await page.clipboard();
  expect(link).toMatch(RegExp(`/${account.username}/a/[\\w-]{22}$`));

  // A visitor reads it below the form.
  const guest = await visitor();
  await guest.goto(`/${account.username}`);
  await expect(guest.heading("Answered in public")).toBeVisible();
  await expect(guest.cards.getByText("at the harbour. <b>Bring soup</b>")).toBeVisible();
  await guest.cards.getByRole("link", { name: /^Answer to: Will you play/ }).click();
  await guest.waitForURL(link);
  await expect(guest.heading(`${account.username} answers`)).toBeVisible();
  await expect(guest).toHaveTitle(`${account.username} answers a note · Annon`);
  await guest.reload();
  await expect(exactly(guest.cards, NOTE)).toBeVisible();
  await guest.button("Save as image").click();
  await expect(guest.getByRole("img", { name: /^Image preview: Will you play/ })).toBeVisible();
  await guest.waitForTimeout(150);
  const { path } = await guest.saved(() => guest.button("Download").click());
  expect(await guest.painted(readFileSync(path), [2, 2])).toMatchObject({
    width: 1080,
    height: 1920,
    at: [[253, 240, 215]],
  });
  await guest.escape();

  // Link previews read the words in the page's head, and browsers without scripts in its body.
  const html = await (await fetch(link)).text();
  const head = html.slice(0, html.indexOf("<body>"));
  expect(head).toContain(
    `<meta property="og:description" content="“${NOTE}” On Friday, at the harbour. &lt;b&gt;Bring soup`,
  );
  expect(head).toContain(`<meta name="robots" content="noindex">`);
  expect(html.slice(head.length)).toContain("at the harbour. &lt;b&gt;Bring soup&lt;/b&gt;");
  const plain = await visitor({ javaScriptEnabled: false });
  await plain.goto(link);
  await expect(exactly(plain.cards, NOTE)).toBeVisible();
  await expect(plain.button("Copy link")).toHaveCount(0);
  await plain.link(`Send ${account.username} a note`).click();
  await expect(plain.getByLabel(BOX)).toBeVisible();

  await page.noteMenu(page.cards, "Edit answer");
  await page.getByLabel("Your answer").fill("On Saturday.");
  await page.dialog.getByRole("button", { name: "Publish answer" }).click();
  await page.sees("On Saturday.");
  await guest.goto(link);
  await guest.sees("On Saturday.");

  // Once it is taken down it is gone from everywhere, and its note stays.
  await page.noteMenu(page.cards, "Take answer down");
  await page.answerQuestion("Take down");
  await page.sees("Answer taken down");
  await expect(page.cards.getByText("Public", { exact: true })).toHaveCount(0);
  const gone = await fetch(link);
  expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
  expect(await gone.text()).not.toContain("play again");
  await guest.goto(link);
  await guest.sees("No longer here");
  await guest.link(`More from ${account.username}`).click();
  await expect(guest.getByLabel(BOX)).toBeVisible();
  await expect(guest.heading("Answered in public")).toHaveCount(0);
  expect(await inboxOf(account)).toEqual([NOTE]);
});

test("what is published in one window shows in another", async ({ page, account, visitor }) => {
  await page.goto("/homepage?tab=inbox");
  await page.sees("All quiet");
  await answerInPublic(account, NOTE, "yes");
  await expect(page.cards.getByText("Public", { exact: true })).toBeVisible();
  expect(await visitor()).toBeDefined();
});

test("a note that is only for its owner can't be published, and says so", async ({
  page,
  account,
  visitor,
}) => {
  const guest = await visitor();
  await guest.goto(`/${account.username}`);
  await guest.getByLabel(BOX).fill("This stays between us, please.");
  const box = guest.getByLabel(`Only for ${account.username}`);
  await expect(box).not.toBeChecked();
  await box.check();
  await guest.button("Send it").click();
  await guest.sees(`Anonymous Message Sent to ${account.username}`);
  await page.goto("/homepage?tab=inbox");
  await page.button(/^Read the note/).click();
  await page.sees(/Only for you: the sender asked you/);
  await button(page.cards, /^More for the note/).click();
  await expect(page.item("Report note")).toBeVisible();
  await expect(page.item("Answer in public")).toHaveCount(0);
  await page.keys("Escape");
  // The server has the last word.
  const token = await tokenOf(account);
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const { data } = await (await fetch(`${account.base}/api/messages`, { headers })).json();
  const path = `${account.base}/api/message/${data[0].id}/answer`;
  const refused = await fetch(path, { method: "PUT", headers, body: '{"answer":"yes"}' });
  expect([refused.status, (await refused.json()).code]).toEqual([409, "only_for_you"]);
});

test("without scripts a note can be only for its owner, too", async ({ account, visitor, page }) => {
  const guest = await visitor({ javaScriptEnabled: false });
  await guest.goto(`/${account.username}`);
  await guest.getByLabel(BOX).fill("Sent by a browser without any script.");
  await guest.getByLabel(`Only for ${account.username}`).check();
  await guest.button("Send it").click();
  await guest.sees(`Anonymous Message Sent to ${account.username}`);
  await page.goto("/homepage?tab=inbox");
  await page.button(/^Read the note/).click();
  await page.sees(/Only for you: the sender/);
});

test("a line and prompts are set up, shown, and put above a note", async ({ page, account, visitor }) => {
  await page.goto("/settings");
  await page.button(/^Your page/).click();
  await page.getByLabel("About you").fill("é".repeat(81));
  await page.button("Save your page").click();
  await page.sees("Please shorten the line about you to 80 characters");
  await page.getByLabel("About you").fill("I play the cello.");
  await page.getByLabel("Prompt 1").fill("Ask me about music");
  await page.getByLabel("Prompt 3").fill("What should I read next?");
  await page.getByLabel(/^Notes are only for me/).check();
  await page.button("Save your page").click();
  await page.sees("Your page is saved");
  await page.reload();
  await page.button(/^Your page/).click();
  await expect(page.getByLabel("Prompt 2")).toHaveValue("What should I read next?");

  const guest = await visitor();
  await guest.goto(`/${account.username}`);
  await guest.sees("I play the cello.");
  await expect(guest.getByLabel(`Only for ${account.username}`)).toBeChecked();
  const box = guest.getByLabel(BOX);
  // A prompt is a question above the note, and can't be sent alone.
  await guest.button("Ask me about music").click();
  await expect(box).toBeFocused();
  await guest.button("Send it").click();
  await guest.sees("Please Lengthen your message");
  await box.fill("The third suite, please.");
  await guest.button("Write something else").click();
  await guest.button("What should I read next?").click();
  await expect(box).toHaveValue("The third suite, please.");
  await guest.reload();
  await guest.sees("What should I read next?");
  await expect(box).toHaveValue("The third suite, please.");
  await guest.getByLabel(`Only for ${account.username}`).uncheck();
  await guest.button("Send it").click();
  await guest.sees("Anonymous Message Sent to");
  expect(await inboxOf(account)).toEqual(["“What should I read next?”\nThe third suite, please."]);
  await page.goto("/homepage?tab=inbox");
  await expect(exactly(page.cards, "What should I read next?")).toBeVisible();
  await button(page.cards, /^More for the note/).click();
  await expect(page.item("Answer in public")).toBeVisible();
});

test("many answers come page by page", async ({ server, visitor }) => {
  const person = await register(server.base);
  for (let n = 1; n <= 22; n += 1)
    await answerInPublic(person, `A question with the number ${n}?`, `Answer ${n}.`);
  await sendOnlyFor(person, "A note that nobody else reads.");
  await setUpPage(person, { line: "" });
  const page = await visitor();
  await page.goto(`/${person.username}`);
  await expect(page.cards).toHaveCount(20);
  await page.button("Older answers").click();
  await expect(page.cards).toHaveCount(22);
  await expect(page.button("Older answers")).toHaveCount(0);
  await expect(page.cards.getByText("Answer 1.", { exact: true })).toBeVisible();
});
