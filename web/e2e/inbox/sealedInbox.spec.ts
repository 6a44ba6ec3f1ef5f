/** A sealed inbox: its owner's devices open the notes, and what the server gets says nothing. */
import { encode } from "uqr";
import { newInboxKey } from "../../src/shared/sealing/newInboxKey.ts";
import { button, sentBy } from "../support/page.ts";
import { type Person, register, sendNotes, setUpInbox, signedIn } from "../support/people.ts";
import { keepCode, openByCode, sealInbox, sealSettings, sendSealed } from "../support/seal.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const NOTE = "marked words of somebody";
const INBOX = "/homepage?tab=inbox";

/** Another device of somebody, who is signed in on it. */
async function device(visitor: () => Promise<AppPage>, person: Person): Promise<AppPage> {
  const page = await visitor();
  await signedIn(page.context(), person);
  return page;
}

const card = (page: AppPage, words: string) => page.cards.filter({ hasText: words });
const other = (code: string) => (code.startsWith("7") ? "8" : "7") + code.slice(1);

test("seal an inbox, get notes live, read them again, and answer one in public; the server gets no word", async ({
  page,
  account,
}) => {
  const sent: string[] = [];
  sentBy(page, sent);
  await sendNotes(account, "A note of before.");
  const code = await sealInbox(page);
  await page.visit(INBOX);
  await card(page, "A note of before.").waitFor();
  await sendSealed(account, [NOTE]);
  await expect(card(page, NOTE)).toBeVisible();
  await expect(page.getByText("This note can’t be opened")).toHaveCount(0);
  await page.reload();
  await expect(card(page, NOTE)).toBeVisible();
  await page.button("Sealed").click();
  await page.sees("Your inbox is sealed");
  await page.escape();
  // What was sent has neither the words nor the code, until the owner publishes the words.
  const key = await page.evaluate(async () => {
    const kept = await new Promise<{ key: { privateKey: CryptoKey } }>((resolve) => {
      const opening = indexedDB.open("annon-inbox-keys");
      opening.onsuccess = () => {
        const asked = opening.result.transaction("keys").objectStore("keys").getAll();
        asked.onsuccess = () => resolve(asked.result[0]);
        opening.result.close();
      };
    });
    return [kept.key.privateKey.extractable, kept.key.privateKey.type];
  });
  expect(key).toEqual([false, "private"]);
  const all = sent.join("\n");
  expect(all).not.toContain(NOTE);
  for (const group of code.split("-").filter(({ length }) => length === 5)) expect(all).not.toContain(group);

  await page.noteMenu(card(page, NOTE), "Answer in public");
  await page.dialog.getByRole("textbox").fill("I was there, too.");
  await page.dialog.getByRole("button", { name: /^Publish/ }).click();
  await page.visit(`/${account.username}?view=others`);
  await page.sees("I was there, too.");
  await expect(page.exactly(NOTE)).toBeVisible();
});

test("another device opens it by the code: a letter that is wrong, a code that is wrong, and the right one", async ({
  page,
  account,
  visitor,
}) => {
  const code = await sealInbox(page);
  await sendSealed(account, [NOTE]);
  const phone = await device(visitor, account);
  const sent: string[] = [];
  sentBy(phone, sent);
  await phone.visit(INBOX);
  await phone.sees("This device can’t open this note");
  await openByCode(phone, other(code));
  await phone.sees(/^One character is wrong/);
  const otherInbox = await sealInbox(await device(visitor, await register(account.base)));
  await phone.dialog.getByRole("textbox").fill(otherInbox);
  await button(phone.dialog, "Open").click();
  await phone.sees(/not this inbox’s/);
  await phone.dialog.getByRole("textbox").fill(code.toLowerCase().replaceAll("-", " "));
  await button(phone.dialog, "Open").click();
  await expect(card(phone, NOTE)).toBeVisible();
  for (const group of code.split("-").filter(({ length }) => length === 5))
    expect(sent.join("\n").toUpperCase()).not.toContain(group);

  // Whoever logs out leaves no key.
  await phone.visit("/settings");
  await phone.button(/^Log Out/).click();
  await phone.answerQuestion("Log Out");
  await phone.heading(/Hello/).waitFor();
  await expect
    .poll(() =>
      phone.evaluate(async () =>
        (await indexedDB.databases()).some(({ name }) => name === "annon-inbox-keys"),
      ),
    )
    .toBe(false);
});

test("a device hands the key to another one by a QR code, which signs in first and comes back", async ({
  page,
  account,
  visitor,
}) => {
  await sealInbox(page);
  await sendSealed(account, [NOTE]);
  // The code has 32 random bytes that the page draws: whoever scans it reads this link.
  await page.addInitScript(() => {
    const draw = crypto.getRandomValues.bind(crypto);
    const drawn: string[] = [];
    crypto.getRandomValues = <T extends ArrayBufferView | null>(bytes: T) => {
      draw(bytes as never);
      const all = bytes as unknown as Uint8Array;
      if (all.length === 32) drawn.push(btoa(String.fromCharCode(...all)));
      return bytes;
    };
    Object.assign(window, { drawn });
  });
  const sent: string[] = [];
  sentBy(page, sent);
  await page.reload();
  await sealSettings(page);
  await button(page.dialog, /^Open on another device/).click();
  const code = page.dialog.getByRole("img", { name: "QR code that hands your key over" });
  await code.waitFor();
  await page.sees(/^4:5\d left$/);
  const path = await code.locator("path").getAttribute("d");
  const drawn: string[] = await page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);
  const links = drawn.map(
    (bytes) => `${account.base}/open#${Buffer.from(bytes, "base64").toString("base64url")}`,
  );
  const scanned = links.find((link) => pathOf(link) === path) ?? "";
  expect(scanned).not.toBe("");

  const phone = await visitor();
  sentBy(phone, sent);
  await phone.goto(scanned);
  await phone.getByLabel("Username or email").fill(account.username);
  await phone.password().fill("correct horse");
  await phone.button("Sign in").click();
  await phone.sees(`This device opens the notes of ${account.username} now.`);
  expect(phone.url()).toBe(`${account.base}/open`);
  await phone.link("My Inbox").click();
  await expect(card(phone, NOTE)).toBeVisible();
  expect(sent.join("\n")).not.toContain(scanned.split("#")[1]);

  // It was given once.
  const third = await device(visitor, account);
  await third.goto(scanned);
  await third.sees(/^There’s nothing to get/);
  await third.button("Use the recovery code").waitFor();
});

/** The squares of a QR code, as the app draws them. */
function pathOf(link: string): string {
  const { data } = encode(link, { ecc: "M", border: 4 });
  return data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}

test("switched off, notes come open; a new key opens no note of before, and changes the link's ending", async ({
  page,
  account,
  visitor,
}) => {
  await sealInbox(page);
  await sendSealed(account, [NOTE]);
  const link = async () => {
    await page.visit("/homepage");
    await page.button("Copy link").click();
    return page.clipboard();
  };
  const first = await link();
  expect(first).toMatch(new RegExp(`/${account.username}#k=[\\w-]{14}$`));

  await sealSettings(page);
  await button(page.dialog, /^Stop sealing/).click();
  await page.answerQuestion("Stop sealing");
  await page.sees(/^New notes come unsealed now/);
  await page.escape();
  expect(await link()).toMatch(new RegExp(`/${account.username}$`));
  await sendNotes(account, "An open note.");
  await page.visit(INBOX);
  await card(page, "An open note.").waitFor();
  await expect(card(page, NOTE)).toBeVisible();

  const phone = await device(visitor, account);
  await sealSettings(page);
  await button(page.dialog, /^Seal again/).click();
  await page.sees(/^Your link names your key/);
  await button(page.dialog, /^New key/).click();
  await button(page.question, "Make new key").click();
  const code = await keepCode(page);
  await page.escape();
  const second = await link();
  expect(second).toMatch(new RegExp(`/${account.username}#k=[\\w-]{14}$`));
  expect(second).not.toBe(first);
  await sendSealed(account, ["A note of later."]);
  await page.visit(INBOX);
  await card(page, "A note of later.").waitFor();
  await page.sees("This note can’t be opened");
  await phone.visit(INBOX);
  await openByCode(phone, code);
  await card(phone, "A note of later.").waitFor();
});

test("an inbox that is sealed on one device while it is open on another", async ({
  page,
  account,
  visitor,
}) => {
  const phone = await device(visitor, account);
  await phone.visit(INBOX);
  await phone.sees("All quiet");
  const code = await sealInbox(page);
  await phone.button("Sealed").waitFor();
  await sendSealed(account, [NOTE]);
  await phone.sees("This device can’t open this note");
  await openByCode(phone, code);
  await expect(card(phone, NOTE)).toBeVisible();
  // A new key on the first device: the second says so, and doesn't call the note broken.
  await sealSettings(page);
  await button(page.dialog, /^New key/).click();
  await button(page.question, "Make new key").click();
  await keepCode(page);
  await sendSealed(account, ["A note of later."]);
  await phone.sees(/^Your inbox got a new key on another device/);
  await phone.sees("This device doesn’t have the new key for this note");
  await expect(card(phone, NOTE)).toBeVisible();
});

test("a word to hold back closes a sealed note, and so does the wish that it stays with its reader", async ({
  page,
  account,
}) => {
  await setUpInbox(account, { held_words: ["stupid"] });
  await sealInbox(page);
  await sendSealed(account, ["You are so ｓｔｕｐｉｄ."]);
  await sendSealed(account, ["For you alone."], { onlyForYou: true });
  await page.visit(INBOX);
  await expect(card(page, "For you alone.").getByTitle("Only for you")).toBeVisible();
  await page.sees("Held back by your words");
  await expect(page.getByText("ｓｔｕｐｉｄ")).toHaveCount(0);
  await page.button(/^Show the note from/).click();
  await page.sees("You are so ｓｔｕｐｉｄ.");
  await expect(card(page, "ｓｔｕｐｉｄ")).toBeFocused();
});

test("a sealed note is found, reported with its words and blocked; of one that doesn't open nobody says more", async ({
  page,
  account,
  server,
}) => {
  await sealInbox(page);
  const { publicKey } = await newInboxKey();
  await sendSealed(account, ["Nobody reads this."], { key: publicKey });
  await sendSealed(account, [NOTE, "Something else."]);
  await page.visit(INBOX);
  const broken = card(page, "This note can’t be opened");
  await button(broken, /^More for the note/).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Archive", "Block the sender", "Delete"]);
  await page.keyboard.press("Escape");

  await page.button("Search").click();
  await page.getByRole("searchbox").fill("MARKED words");
  await expect(page.cards).toHaveCount(1);
  await page.noteMenu(page.cards.first(), "Report note");
  await button(page.dialog, "Report note").click();
  await page.sees("Reported. Thanks for letting us know.");
  const [newest = ""] = (await server.annon("report", "list", "--json")).split("\n");
  expect(await server.annon("report", "show", JSON.parse(newest).id)).toContain(NOTE);

  await page.noteMenu(page.cards.first(), "Block the sender");
  await page.answerQuestion("Block");
  await page.visit("/settings");
  await page.button(/^Blocked/).click();
  await button(page.dialog, new RegExp(`^Unblock: ${NOTE}`)).waitFor();
});

test("without a network the notes that were read are there, kept sealed", async ({ page, account }) => {
  await sealInbox(page);
  await sendSealed(account, [NOTE]);
  await page.visit(INBOX);
  await card(page, NOTE).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await card(page, NOTE).waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.sees(/^You’re offline/);
  await expect(card(page, NOTE)).toBeVisible();
});

test("when the sign-in is ended elsewhere, the key goes from this device", async ({
  page,
  account,
  visitor,
}) => {
  await sealInbox(page);
  await sendSealed(account, [NOTE]);
  await page.visit(INBOX);
  await card(page, NOTE).waitFor();
  const laptop = await device(visitor, account);
  await laptop.visit("/settings");
  await laptop.button(/^Where you’re signed in/).click();
  await button(laptop.dialog, "Sign out everywhere else").click();
  await page.sees("Please sign in to continue.");
  await expect
    .poll(() =>
      page.evaluate(async () =>
        (await indexedDB.databases()).some(({ name }) => name === "annon-inbox-keys"),
      ),
    )
    .toBe(false);
});
