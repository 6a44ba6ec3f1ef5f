/** A note whose sender would like an answer, and the conversation that follows: two browsers. */

import { writeAndAsk } from "../support/conversation.ts";
import { link } from "../support/page.ts";
import type { Person } from "../support/people.ts";
import { askForAnswer, register, sayIn, signedIn } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NOTE = "You sat with me at lunch that day.";

/** Sends a note and asks for an answer. Gives the private link. */
async function ask(page: AppPage, { username }: Person, words = NOTE): Promise<string> {
  await page.visit(`/${username}`);
  return writeAndAsk(page, words);
}

/** Everything that a browser sends or says on its console, from now on. */
function overheard(page: AppPage): string[] {
  const all: string[] = [];
  const context = page.context();
  context.on("request", async (request) => {
    all.push(
      request.url(),
      request.postData() ?? "",
      JSON.stringify(await request.allHeaders().catch(() => request.headers())),
    );
  });
  context.on("console", (message) => all.push(message.text()));
  page.on("websocket", (socket) => {
    all.push(socket.url());
    socket.on("framesent", ({ payload }) => all.push(String(payload)));
  });
  return all;
}

async function ownerOf(visitor: () => Promise<AppPage>, person: Person): Promise<AppPage> {
  const owner = await visitor();
  await signedIn(owner.context(), person);
  await owner.visit(`${person.base}/homepage?tab=inbox`);
  return owner;
}

test("the whole way: asked, answered, seen, unsent, ended; and the secret never leaves the browsers", async ({
  page,
  person,
  visitor,
}) => {
  const heard = [overheard(page)];
  const owner = await ownerOf(visitor, person);
  await owner.sees("All quiet");

  const privateLink = await ask(page, person);
  expect(privateLink).toMatch(/^http.*\/c\/[\w-]{22}#[\w-]{22}$/);
  await page.button("Copy link").click();
  expect(await page.clipboard()).toBe(privateLink);
  await page.button("QR code").click();
  await expect(page.dialog.getByRole("img")).toBeVisible();
  await page.escape();
  // The tab is closed, and the link is opened in another browser.
  await page.goto("about:blank");
  const sender = await visitor();
  heard.push(overheard(sender));
  await sender.goto(privateLink);
  await sender.sees(NOTE);
  await sender.sees("Anyone who has the link can read and write here.");
  await expect(sender).toHaveTitle(new RegExp(`^${person.username}`));

  // The owner's inbox has it at once, and "Answer" leads there.
  await expect(owner.cards.getByText("Would like an answer")).toBeVisible();
  await link(owner.cards.filter({ hasText: "Anonymous Message" }), /^Answer the note from/).click();
  // The inbox has these words, too. It stays until the conversation is there.
  await owner.waitForURL("**/c/*");
  await expect(owner.tab("Inbox")).toHaveCount(0);
  await owner.sees(NOTE);
  await owner.say("I remember it well.");
  await expect(sender.line("I remember it well.")).toBeVisible();
  await expect(owner.line("I remember it well.").getByTitle("Seen")).toBeVisible();

  await sender.say("Thank you for that.");
  await expect(owner.line("Thank you for that.")).toBeVisible();
  await expect(sender.line("Thank you for that.").getByTitle("Seen")).toBeVisible();
  await owner.say("And who are you?");
  await expect(sender.line("And who are you?")).toBeVisible();

  await sender.say("My name is");
  await expect(owner.line("My name is")).toBeVisible();
  await sender.messageMenu("My name is");
  // Nothing of a group is offered that a conversation doesn't have.
  await expect(sender.getByRole("menuitem")).toHaveText(["", "Reply", "Copy", "Unsend"]);
  await sender.item("Unsend").click();
  for (const one of [owner, sender]) {
    await expect(one.line("Message removed")).toBeVisible();
    await expect(one.line("My name is")).toHaveCount(0);
  }

  // Another device of the sender's, and a reload.
  await sender.reload();
  await expect(sender.messages).toHaveText([
    "I remember it well.",
    "Thank you for that.",
    "And who are you?",
  ]);
  await sender.moreMenu("End and delete for both");
  await sender.answerQuestion("End and delete");
  await expect(sender.heading("Conversation ended")).toBeVisible();
  await owner.sees("The person who wrote the note ended it.");
  await sender.reload();
  await sender.sees("There’s no conversation here");
  await owner.visit(`${person.base}/homepage?tab=inbox`);
  await expect(owner.cards).toBeVisible();
  await expect(owner.link(/^Answer the note/)).toHaveCount(0);
  await expect(owner.button("Conversations")).toHaveCount(0);

  const secret = privateLink.split("#")[1] ?? "";
  expect(secret).toHaveLength(22);
  for (const all of heard) {
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((one) => one.includes(secret))).toEqual([]);
  }
});

test("without the switch a note has no conversation", async ({ page, person }) => {
  let sent = "";
  page.on("request", (request) => {
    if (request.url().endsWith("/api/annon-message")) sent = request.postData() ?? "";
  });
  await page.visit(`/${person.username}`);
  await page.getByLabel("Your anonymous note").fill(NOTE);
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
  expect(Object.keys(JSON.parse(sent)).sort()).toEqual(["id", "message", "note_id", "only_for_you", "tag"]);
  await expect(page.getByText("Your private link")).toHaveCount(0);
});

test("what was said while the server was away arrives once, on both sides", async ({
  page,
  person,
  visitor,
  server,
}) => {
  const { path } = await askForAnswer(person, NOTE);
  await page.goto(path);
  await page.sees(NOTE);
  const owner = await ownerOf(visitor, person);
  await link(owner, /^Open the conversation about/).click();
  await owner.say("are you there");
  await expect(page.line("are you there")).toBeVisible();
  await server.kill();
  await page.sees("Connection lost. Reconnecting…");
  await page.say("said to nobody");
  await owner.say("nor by me");
  await server.restart();
  for (const one of [page, owner]) {
    await expect(one.line("said to nobody")).toHaveCount(1);
    await expect(one.line("nor by me")).toHaveCount(1);
    await expect(one.log.getByTitle("Sending")).toHaveCount(0);
  }
});

test("the fourth line in a row waits for an answer, and the owner can close the conversation", async ({
  page,
  person,
  visitor,
}) => {
  const conversation = await askForAnswer(person, NOTE);
  await page.goto(conversation.path);
  await page.sends("one", "two", "three");
  await page.sees("That’s 3 in a row.");
  await page.say("four");
  await expect(page.line("four").getByText("Wait for an answer")).toBeVisible();
  await sayIn(conversation, "owner", "I’m here");
  await expect(page.line("I’m here")).toBeVisible();
  await expect(page.sent("four")).toBeVisible();

  const owner = await ownerOf(visitor, person);
  await expect(owner.cards.getByText("4 new")).toHaveCount(0);
  await link(owner, /^Open the conversation about/).click();
  await expect(owner.line("four")).toBeVisible();
  await owner.moreMenu("Close to new messages");
  await owner.answerQuestion("Close");
  await owner.sees("You closed this conversation.");
  await page.sees(`${person.username} closed this conversation.`);
  await expect(page.box).toHaveCount(0);
  await page.reload();
  await expect(page.line("four")).toBeVisible();
  await page.sees(`${person.username} closed this conversation.`);
  await expect(page.box).toHaveCount(0);
});

test("a link without its key, a wrong one and one that is cut off say so, and lead on", async ({
  page,
  person,
}) => {
  const { id, path, secret } = await askForAnswer(person, NOTE);
  await page.goto(`/c/${id}`);
  await page.sees("This link is missing its key");
  await expect(page.locator("main").getByRole("link", { name: "Sign in" })).toBeVisible();
  for (const wrong of [
    path.slice(0, -1),
    `/c/${id}#${secret.replace(/^./, secret[0] === "A" ? "B" : "A")}`,
  ]) {
    await page.goto("about:blank");
    await page.goto(wrong);
    await page.sees("There’s no conversation here");
  }
});

test("somebody else who is signed in is told that the link has no key; its owner reads it", async ({
  page,
  account,
  visitor,
  server,
}) => {
  const other = await register(server.base);
  const { id } = await askForAnswer(other, NOTE);
  await page.goto(`/c/${id}`);
  await page.sees("This link is missing its key");
  expect(account.username).not.toBe(other.username);
  const owner = await visitor();
  await signedIn(owner.context(), other);
  await owner.goto(`${server.base}/c/${id}`);
  await owner.sees(NOTE);
});
