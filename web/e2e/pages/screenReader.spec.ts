/** What a screen reader says on the pages. The reader is simulated, inside a real browser. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ICON, until } from "../support/page.ts";
import { sendNotes } from "../support/people.ts";
import { type AppPage, expect, test } from "../support/test.ts";

declare global {
  interface Window {
    screenReader: typeof import("@guidepup/virtual-screen-reader").virtual;
  }
}

const READER = readFileSync(
  fileURLToPath(import.meta.resolve("@guidepup/virtual-screen-reader/browser.js")),
  "utf8",
).replace(/export\s*\{.*?([\w$]+) as virtual\s*\};?/s, "window.screenReader = $1;");

/** Starts the screen reader. From now on it also records the announcements of the page. */
async function listen(page: AppPage) {
  // The simulated reader skips visible elements in a hidden box. Browsers don't (CSS 2.2, 11.2).
  await page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLElement>("[role=log] > *"))
      box.style.visibility = "visible";
  });
  await page.evaluate(`(() => { ${READER}\n })()`);
  await page.evaluate(() => window.screenReader.start({ container: document.body }));
}

/** Reads the whole page, from the top to the end. */
async function read(page: AppPage) {
  await listen(page);
  return page.evaluate(async () => {
    const reader = window.screenReader;
    while ((await reader.lastSpokenPhrase()) !== "end of document") await reader.next();
    const log = await reader.spokenPhraseLog();
    await reader.stop();
    return log;
  });
}

/** Expects that the phrases contain the wanted ones, in this order. */
function inOrder(phrases: string[], wanted: (string | RegExp)[]) {
  let from = 0;
  for (const phrase of wanted) {
    const at = phrases.findIndex(
      (one, place) => place >= from && (typeof phrase === "string" ? one === phrase : phrase.test(one)),
    );
    expect(at, `${phrase} is spoken after the first ${from} phrases:\n${phrases.join("\n")}`).not.toBe(-1);
    from = at + 1;
  }
}

/** The name of the user's own emoji. */
const nameOf = async (page: AppPage) =>
  (await page.getByText(/^You are /).textContent())?.replace("You are ", "") ?? "";

test("a group, from its name to its field", async ({ me, other, group }) => {
  await me.say("Who is still awake?");
  await other.say("Me, obviously");
  await expect(me.line("Me, obviously")).toBeVisible();
  await expect(me.button(/^2 of 2/)).toBeVisible();
  const [mine, theirs] = [await nameOf(me), await nameOf(other)];
  inOrder(await read(me), [
    "banner",
    /^heading, midnight tacos/,
    new RegExp(`You are ${mine}`),
    /^button, 2 of 2 here now/,
    /^button, More, not expanded/,
    "log, Messages",
    new RegExp(`by ${group.host.username}$`),
    "article",
    "you",
    "Who is still awake?",
    /^\d\d:\d\d$/,
    "Sent",
    "end of article",
    "article",
    theirs,
    "Me, obviously",
    /^\d\d:\d\d$/,
    "end of article",
    "end of log, Messages",
    /^textbox, Message\b/,
    "button, Add photos",
    /^button, Send/,
  ]);
});

test("messages of others are announced once and politely, own ones aren’t", async ({ me, group, join }) => {
  await listen(me);
  const other = await join(group);
  const name = await nameOf(other);
  expect(await other.myEmoji.textContent()).not.toBe(name);
  const times = async (words: string) => {
    const spoken = await me.evaluate(() => window.screenReader.spokenPhraseLog());
    return spoken.filter((phrase) => phrase.includes(words));
  };
  await me.say("something of my own");
  for (const words of ["good evening", "and good night"]) {
    await other.say(words);
    await until(`${words} is told`, async () => (await times(words)).length > 0);
  }
  expect(await times("good evening")).toEqual([`polite: ${name}: good evening`]);
  expect(await times("something of my own")).toEqual([]);
  // The announcement has the name that the app has for the emoji, not the screen reader's own name for it.
  expect(await times("joined")).toEqual([`polite: ${name} joined`]);
});

test("each note says when it came, and so do its buttons", async ({ page, account }) => {
  // The note is longer than its teaser, so it stays new while it is read out.
  const note = `a note that is to be heard${" or else it is not heard at all".repeat(8)}`;
  await sendNotes(account, note);
  await page.goto("/homepage?tab=inbox");
  const time = page.cards.locator("time");
  const title = `Anonymous Message New ${await time.textContent()}`;
  const when = await time.getAttribute("title");
  inOrder(await read(page), [
    /^tab, Inbox 1 unread, selected/,
    "heading, My Inbox, level 1",
    `article, ${title}`,
    new RegExp(`^button, Capture as image: the note from ${when}`),
    new RegExp(`^button, More for the note from ${when}`),
    new RegExp(`^button, Read the note from ${when}`),
    `end of article, ${title}`,
  ]);
  await page.button(`Read the note from ${when}`).click();
  inOrder(await read(page), [note, new RegExp(`^button, Close the note from ${when}`)]);
});

test("forms say which fields are required and which are wrong", async ({ page, person }) => {
  const short = "Please Lengthen your message to more than 10 Characters";
  for (const [path, ...wrong] of [
    ["/signup", "Username: Username must be 6 characters or above", "Email: Invalid Email Address"],
    ["/login", "Username or email: Kindly input valid login credentials"],
    ["/reset", "Email: Invalid Email"],
    [`/${person.username}`, `Your anonymous note: ${short}`],
  ]) {
    const fields = wrong.map((one) => one.split(": "));
    const [[first, error]] = fields;
    await page.goto(path);
    await expect(page.getByLabel(first)).toBeVisible();
    inOrder(
      await read(page),
      fields.map(([label]) => new RegExp(`^textbox, ${label}, (?!.*invalid).*required`)),
    );
    await page.locator("[type=submit]").click();
    await page.sees(error);
    inOrder(
      await read(page),
      fields.map(([label, error]) => new RegExp(`^textbox, ${label}, .*${error}.*, invalid.*, required`)),
    );
    // The first field with an error has the focus, so that a screen reader reads it out.
    await expect(page.getByLabel(first)).toBeFocused();
  }
});

test("dialogs, menus and the search for emoji say what they are", async ({ page, group }) => {
  await page.enterAsCreator(group);
  const name = await nameOf(page);
  await page.setInputFiles("input[type=file]", ICON);
  const caption = page.getByLabel("Caption");
  await expect(caption).toHaveAttribute("aria-required", "false");
  inOrder(await read(page), [
    "dialog, Send this photo?",
    /^textbox, Caption, /,
    "end of dialog, Send this photo?",
  ]);
  await page.keyboard.press("Escape");
  await expect(caption).toHaveCount(0);

  await page.showPictures([ICON], "their card");
  await expect(page.sent("their card")).toBeVisible();
  await page.picture("their card").click();
  await expect(page.dialog).toBeVisible();
  inOrder(await read(page), [
    `dialog, Photo by ${name}, their card`,
    `heading, Photo by ${name}, level 2`,
    /^link, Download/,
    "button, Close",
    "image, their card",
    `end of dialog, Photo by ${name}, their card`,
  ]);
  await page.escape();

  await page.moreMenu();
  inOrder(await read(page), [
    /^menu, /,
    /^menuitem, Copy invite link/,
    /^menuitem, Mute sounds/,
    /^menuitem, Leave group/,
    /^end of menu/,
  ]);
  await page.item("Delete group").click();
  await expect(page.question).toBeVisible();
  inOrder(await read(page), [/^alertdialog, Delete “[^”]+”\?, Everyone is disconnected right away/]);
  await page.answerQuestion("Cancel");

  await page.button("Add an emoji").click();
  await page.getByRole("searchbox").fill("taco");
  inOrder(await read(page), [
    "dialog, Emoji",
    /^searchbox, Search emoji/,
    "1 emoji found",
    "group, Found",
    "button, 🌮",
    "end of dialog, Emoji",
  ]);
});
