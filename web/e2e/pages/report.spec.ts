/** What should not be here is shown to the operator, who can suspend an account for a while. */
import { button } from "../support/page.ts";
import { askForAnswer, sayIn, sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

type Report = {
  about: string;
  account: string | null;
  text: string;
  words: { from: string; text: string }[];
};

/** The newest report, as the operator reads it. */
async function newest(server: { annon: (...command: string[]) => Promise<string> }): Promise<Report> {
  const [first = ""] = (await server.annon("report", "list", "--json")).split("\n");
  return JSON.parse(first);
}

test("a note is reported from its menu", async ({ page, account, server }) => {
  await sendNotes(account, "a note that nobody should get");
  await page.goto("/homepage?tab=inbox");
  await page.noteMenu(page.cards, "Report note");
  await page.dialog.getByLabel("What’s wrong?").fill("It is a threat.");
  await button(page.dialog, "Report note").click();
  await page.sees("Reported. Thanks");
  await expect(page.dialog).toHaveCount(0);
  const report = await newest(server);
  expect(report).toMatchObject({ about: "note", account: null, text: "It is a threat." });
  expect(report.words).toMatchObject([{ from: "sender", text: "a note that nobody should get" }]);
});

test("a line of a group is reported with the one before it", async ({ me, other, group, server }) => {
  await me.say("what I say");
  await other.say("what the other says");
  await expect(me.line("what the other says")).toBeVisible();
  await me.messageMenu("what the other says", "Report");
  const shown = me.dialog.getByRole("checkbox", { name: /what the other says/ });
  await expect(shown).toBeChecked();
  await shown.uncheck();
  await expect(button(me.dialog, "Report messages")).toBeDisabled();
  await shown.check();
  await me.dialog.getByRole("checkbox", { name: /what I say/ }).check();
  await button(me.dialog, "Report messages").click();
  await me.sees("Reported. Thanks");
  const report = await newest(server);
  expect(report).toMatchObject({ about: "group", account: group.host.username, text: "" });
  expect(report.words.map(({ text }) => text)).toEqual(["what I say", "what the other says"]);
  // One's own messages are not reported.
  await me.messageMenu("what I say");
  await expect(me.item("Reply")).toBeVisible();
  await expect(me.item("Report")).toHaveCount(0);
});

test("both sides report a conversation", async ({ page, visitor, account, server }) => {
  const talk = await askForAnswer(account, "a note that asks for an answer");
  await sayIn(talk, "owner", "what the owner says");
  const sender = await visitor();
  for (const [side, path, named] of [
    [sender, talk.path, account.username],
    [page, `/c/${talk.id}`, null],
  ] as const) {
    await side.goto(path);
    await side.moreMenu("Report conversation");
    await side.dialog.getByRole("checkbox", { name: /what the owner says/ }).check();
    await button(side.dialog, "Report conversation").click();
    await side.sees("Reported. Thanks");
    const report = await newest(server);
    expect(report).toMatchObject({ about: "conversation", account: named });
    expect(report.words.map(({ text }) => text)).toEqual([
      "a note that asks for an answer",
      "what the owner says",
    ]);
  }
});

test("a page is reported from outside, without an account", async ({ page, person, server }) => {
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Report" }).click();
  const link = page.getByLabel("Page or link");
  await expect(page.heading(/^Report/)).toBeVisible();
  await expect(link).toBeFocused();
  await page.button("Send report").click();
  await page.sees("That isn’t an address of a page here");
  await page.sees("Say in at least 10 characters");
  await link.fill(`${server.base}/c/AAAAAAAAehwAAAAAAAAAAQ#secret`);
  await page.button("Send report").click();
  await page.sees("Open the conversation and report it from its menu.");
  await link.fill(`${server.base}/nobody-here`);
  await page.getByLabel("What’s wrong?").fill("This page is about a friend of mine.");
  await page.button("Send report").click();
  await page.sees("No one here goes by that name.");
  await link.fill(`${server.base}/${person.username}?view=others`);
  await page.button("Send report").click();
  await page.sees("Reported. Thanks");
  await expect(link).toHaveValue("");
  expect(await newest(server)).toMatchObject({ about: "page", account: person.username });
});

test("a suspended person reads why, and strangers don't", async ({ page, visitor, account, server }) => {
  const stranger = await visitor();
  await stranger.goto(`/${account.username}`);
  await stranger.getByLabel("Your anonymous note").fill("a note that was begun before");
  const command = [
    "user",
    "suspend",
    account.username,
    "--days",
    "7",
    "--reason",
    "Threats in several notes.",
  ];
  await server.annon(...command);
  await stranger.button("Send it").click();
  await stranger.sees("This page isn’t available right now.");
  await stranger.goto(`/${account.username}`);
  await stranger.sees("This page isn’t available right now.");
  await expect(stranger.getByText("Threats")).toHaveCount(0);

  await page.goto("/homepage");
  const notice = page.region("Your account is suspended");
  await expect(notice).toContainText("Why: Threats in several notes.");
  await expect(notice).toContainText(String(new Date(Date.now() + 7 * 86_400_000).getFullYear()));
  await page.goto("/room/new");
  await page.getByLabel("Group name").fill("Council of Owls");
  await page.button("Create Group").click();
  await page.sees("Your account is suspended.");
  await server.annon("user", "restore", account.username);
  await page.goto("/homepage");
  await expect(page.heading(/^Hello/)).toBeVisible();
  await expect(notice).toHaveCount(0);
});
