/** A note, from whoever writes it to whoever reads it. */
import type { Page } from "@playwright/test";
import {
  answerQuestion,
  button,
  cards,
  dialog,
  exactly,
  heading,
  link,
  placeOf,
  sees,
  tab,
} from "../support/page.ts";
import { sendNotes, signedIn } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

const card = (page: Page, words: string) => cards(page).filter({ hasText: words });

async function openInbox(page: Page) {
  await page.goto("/homepage?tab=inbox");
  await expect(cards(page).first()).toBeVisible();
}

test("send a note, receive it live, read it, delete it", async ({ page, visitor, account }) => {
  await page.goto("/homepage");
  await expect(tab(page, "Inbox")).toBeVisible();

  const sender = await visitor();
  await signedIn(sender.context(), account);
  const anonymous: Promise<Record<string, string>>[] = [];
  sender.on("request", (request) => {
    if (request.url().includes("/api/annon")) anonymous.push(request.allHeaders());
  });
  const words = sender.getByLabel("Your anonymous message");
  await sender.goto(`/${account.username}`);
  await words.fill("too short");
  await button(sender, "Send it").click();
  await sees(sender, "Please Lengthen your message to more than 10 Characters");
  await words.fill("<b>bold</b> see https://a.example/x?y=z 🦊");
  await Promise.all([sees(page, "You have a new anonymous message"), button(sender, "Send it").click()]);
  await expect(heading(sender, `Anonymous Message Sent to ${account.username}`)).toBeFocused();
  await button(sender, "Send another").click();
  await expect(words).toBeFocused();
  for (const headers of await Promise.all(anonymous)) {
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("authorization");
  }
  expect(anonymous).toHaveLength(2);

  // Without a reload: after the notice the badge and the card.
  await tab(page, /Inbox.*1 unread/).click();
  await page.waitForURL("**/homepage?tab=inbox");
  const note = cards(page);
  await expect(exactly(note, "New")).toBeVisible();
  await button(note, /^Read/).click();
  await expect(tab(page, "Inbox")).toBeVisible();
  await expect(exactly(note, "New")).toHaveCount(0);
  await expect(link(note, "https://a.example/x?y=z")).toHaveAttribute("target", "_blank");
  await expect(link(note, "https://a.example/x?y=z")).toHaveAttribute("rel", "noopener noreferrer nofollow");
  await expect(note).toContainText("<b>bold</b>");

  await page.reload();
  await expect(note).toBeVisible();
  await expect(exactly(page, "New")).toHaveCount(0);
  await button(page, /^Delete (?!all)/).click();
  await answerQuestion(page, "Delete");
  await sees(page, "All quiet");
});

test("all of a closed note opens it, by one button", async ({ page, account }) => {
  await sendNotes(account, "Tap me wherever you like.");
  await openInbox(page);
  const words = page.getByText("Tap me wherever you like.");
  await words.scrollIntoViewIfNeeded();
  const { x, y, height } = await placeOf(words);
  await page.mouse.click(x + 30, y + height / 2);
  await button(cards(page), /^Close/).click();
  await expect(button(cards(page), /./)).toHaveCount(3);
  await button(cards(page), /^Capture as image/).click();
  await expect(dialog(page)).toBeVisible();
});

test("after a note is deleted, the one beside it has the focus", async ({ page, account }) => {
  await sendNotes(account, "the first of them", "the second of them", "the third of them");
  await openInbox(page);
  for (const [words, next] of [
    ["the second", card(page, "the first")],
    ["the first", card(page, "the third")],
    ["the third", heading(page, "My Inbox")],
  ] as const) {
    await button(card(page, words), /^Delete/).click();
    await answerQuestion(page, "Delete");
    await expect(card(page, words)).toHaveCount(0);
    await expect(next).toBeFocused();
  }
});

test("an emptied inbox is empty in every window", async ({ page, context, account }) => {
  await sendNotes(account, "the first of them", "the second of them");
  const other = await context.newPage();
  const windows = [page, other];
  for (const window of windows) {
    await window.goto("/homepage?tab=inbox");
    await expect(tab(window, /2 unread/)).toBeVisible();
  }
  // What is read makes no difference to the count when it goes.
  for (const note of await cards(page).all()) await button(note, /^Read/).click();
  await expect(tab(other, "Inbox")).toBeVisible();
  await button(page, "Delete all").click();
  await answerQuestion(page, "Cancel");
  await expect(cards(page)).toHaveCount(2);
  await button(page, "Delete all").click();
  await answerQuestion(page, "Delete all");
  for (const window of windows) {
    await sees(window, "All quiet");
    await expect(button(window, "Delete all")).toHaveCount(0);
  }
  await expect(heading(page, "My Inbox")).toBeFocused();
  await sendNotes(account, "the first of the new ones");
  for (const window of windows) await expect(tab(window, /1 unread/)).toBeVisible();
});

test("notes in batches wait, and come when that is switched off", async ({ page, context, account }) => {
  // Batches are delivered at full quarters of an hour; this must not meet one.
  const left = 900_000 - (Date.now() % 900_000);
  if (left < 45_000) await page.waitForTimeout(left + 1_000);
  const inbox = await context.newPage();
  await inbox.goto("/homepage?tab=inbox");
  await sees(inbox, "your first note will show up here");
  await page.goto("/settings");
  const batches = page.getByRole("switch", { name: "Deliver in batches", exact: true });
  await expect(batches).toBeEnabled();
  await batches.click();
  await sees(page, "Notes now arrive every 15 minutes");
  await sees(inbox, "new notes show up here every 15 minutes");
  await sendNotes(account, "nobody can tell when this came");
  await inbox.reload();
  await sees(inbox, "new notes show up here every 15 minutes");
  await expect(cards(inbox)).toHaveCount(0);
  await batches.click();
  await sees(page, "Notes now arrive the moment they’re sent");
  await expect(tab(inbox, /1 unread/)).toBeVisible();
  await sees(inbox, "nobody can tell when this came");
  await page.reload();
  await expect(batches).toBeEnabled();
  await expect(batches).not.toBeChecked();
});

test("a page that was open before the link was renewed still sends", async ({ page, visitor, person }) => {
  await page.goto(`/${person.username}`);
  await page.getByLabel("Your anonymous message").fill("written before, sent after");
  const owner = await visitor();
  await signedIn(owner.context(), person);
  await owner.goto("/settings");
  await button(owner, /^Renew your link/).click();
  await answerQuestion(owner, "Renew");
  await sees(owner, "Your link has a new ID");
  await button(page, "Send it").click();
  await sees(page, `Anonymous Message Sent to ${person.username}`);
  await owner.goto("/homepage?tab=inbox");
  await sees(owner, "written before, sent after");
});

test("what was written to somebody is there after a reload, and gone once it is sent", async ({
  page,
  person,
}) => {
  const words = page.getByLabel("Your anonymous message");
  await page.goto(`/${person.username}`);
  await words.fill("A reload takes nothing away.");
  await page.reload();
  await expect(words).toHaveValue("A reload takes nothing away.");
  await button(page, "Send it").click();
  await expect(heading(page, `Anonymous Message Sent to ${person.username}`)).toBeVisible();
  await page.goto(`/${person.username}`);
  await expect(button(page, "Send it")).toBeVisible();
  await expect(words).toHaveValue("");
});
