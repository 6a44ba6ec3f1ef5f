/** A conversation that began with a sealed note: two browsers talk, and the server sees only what it can't read. */
import { writeAndAsk } from "../support/conversation.ts";
import { sentBy } from "../support/page.ts";
import { signedIn } from "../support/people.ts";
import { openByCode, sealInbox } from "../support/seal.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NOTE = "the marked note that begins it";

/** Sends a note and asks for an answer. Gives the private link. */
async function ask(page: AppPage, path: string): Promise<string> {
  await page.visit(path);
  await expect(page.button("Sealed")).toBeVisible();
  return writeAndAsk(page, NOTE);
}

test("asked, answered, quoted, unsent, reloaded, reported; nothing marked is sent, and a device without the key opens it by the code", async ({
  page,
  account,
  visitor,
}) => {
  const sent: string[] = [];
  const code = await sealInbox(page);
  const sender = await visitor();
  for (const one of [page, sender]) sentBy(one, sent);
  const link = await ask(sender, `${account.base}/${account.username}`);
  await sender.goto(link);
  await sender.sees(NOTE);
  await expect(sender.button("Sealed")).toBeVisible();

  const { pathname } = new URL(link);
  await page.visit(pathname);
  await page.sees(NOTE);
  await page.say("a marked answer");
  await expect(sender.line("a marked answer")).toBeVisible();
  await sender.answerTo("a marked answer");
  await sender.say("a marked reply");
  await expect(page.line("a marked reply").getByText("a marked answer")).toBeVisible();

  // A connection is lost, a page is loaded anew, and what was written meanwhile arrives.
  await sender.context().setOffline(true);
  await sender.say("marked, without a network");
  await page.say("marked meanwhile");
  const kept = await sender.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain("marked");
  await sender.context().setOffline(false);
  await expect(page.line("marked, without a network")).toBeVisible();
  await expect(sender.line("marked meanwhile")).toBeVisible();
  for (const one of [page, sender]) await one.reload();
  for (const one of [page, sender]) {
    await one.sees(NOTE);
    await expect(one.line("a marked reply").getByText("a marked answer")).toBeVisible();
    await expect(one.getByText("can’t be opened")).toHaveCount(0);
  }
  await page.messageMenu("marked meanwhile", "Unsend");
  for (const one of [page, sender]) {
    await expect(one.line("Message removed")).toBeVisible();
    await expect(one.getByText("marked meanwhile")).toHaveCount(0);
  }
  expect(sent.length).toBeGreaterThan(20);
  expect(sent.join("\n")).not.toContain("marked");
  const secret = link.split("#")[1] ?? "";
  expect(sent.join("\n")).not.toContain(secret);

  // What is reported has the words.
  await sender.moreMenu("Report conversation");
  await sender.dialog.getByRole("checkbox", { name: /a marked answer/ }).check();
  await sender.dialog.getByRole("button", { name: "Report conversation" }).click();
  await sender.sees("Thanks for letting us know");
  expect(sent.join("\n")).toContain("a marked answer");
  expect(sent.join("\n")).toContain(NOTE);

  // Another device of the owner's has no key, until it has the code.
  const other = await visitor();
  await signedIn(other.context(), account);
  await other.goto(account.base + pathname);
  await other.sees("This device doesn’t have the key of your inbox.");
  await expect(other.getByText("marked")).toHaveCount(0);
  await openByCode(other, code);
  await other.sees(NOTE);
  await expect(other.line("a marked reply")).toBeVisible();
});

test("a line that was changed on its way is said not to open, and a conversation that should be sealed shows nothing", async ({
  page,
  account,
  visitor,
}) => {
  await sealInbox(page);
  const sender = await visitor();
  const link = await ask(sender, `${account.base}/${account.username}`);
  await sender.button("Remember on this device").click();
  await sender.goto(link);
  await sender.say("the first");
  await sender.say("the second");
  await page.visit(new URL(link).pathname);
  await expect(page.line("the second")).toBeVisible();

  // A server that isn't honest: a page is changed on its way.
  const address = "**/api/conversation/*?*";
  await sender.route(address, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [first, second] = body.data.lines;
    second.message = first.message;
    await route.fulfill({ response, json: body });
  });
  await sender.reload();
  await expect(sender.line("the first")).toBeVisible();
  await expect(sender.getByText("This message can’t be opened")).toHaveCount(1);
  await expect(sender.getByText("the second")).toHaveCount(0);
  await sender.unroute(address);
  await sender.route(address, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.note = { message: "an open note", date: body.data.note.date };
    await route.fulfill({ response, json: body });
  });
  await sender.reload();
  await sender.sees("This should be sealed");
  await expect(sender.getByText("an open note")).toHaveCount(0);
});
