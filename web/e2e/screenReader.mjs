/** What a screen reader says of the pages: a simulated one, inside the real browser. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { exact } from "./exact.mjs";
import { register, sendNote, signedIn } from "./people.mjs";
import { enter, ICON, line, newRoom, say, until, withPeople } from "./rooms.mjs";

const READER = readFileSync(
  fileURLToPath(import.meta.resolve("@guidepup/virtual-screen-reader/browser.js")),
  "utf8",
).replace(/export\s*\{.*?([\w$]+) as virtual\s*\};?/s, "window.screenReader = $1;");

const text = async (part) =>
  (await runnerImport(new URL(`../src/shared/text/en/${part}.ts`, import.meta.url).pathname)).module[part];
const app = await text("app");
const chat = (await text("chat")).screen;

/** From here on everything that is told by itself is noted, too. */
async function listen(page) {
  await page.evaluate(`(() => { ${READER}\n })()`);
  await page.evaluate(() => window.screenReader.start({ container: document.body }));
}

const heard = (page) => page.evaluate(() => window.screenReader.spokenPhraseLog());

/** All of the page, from the top to the end. */
async function read(page) {
  await listen(page);
  const phrases = await page.evaluate(async () => {
    const reader = window.screenReader;
    while ((await reader.lastSpokenPhrase()) !== "end of document") await reader.next();
    const log = await reader.spokenPhraseLog();
    await reader.stop();
    return log;
  });
  return phrases;
}

/** These phrases are there, in this order. */
function inOrder(phrases, wanted) {
  let from = 0;
  for (const phrase of wanted) {
    const at = phrases.findIndex(
      (said, place) => place >= from && (phrase instanceof RegExp ? phrase.test(said) : said === phrase),
    );
    assert.ok(at >= 0, `${phrase} isn't heard after the ${from} phrases before:\n${phrases.join("\n")}`);
    from = at + 1;
  }
}

const faceOf = (page) =>
  page.evaluate((room) => localStorage.getItem(room), new URL(page.url()).pathname.slice(6));

export const screenReader = {
  "screen reader: a group, from its name to its field": async ({ browser, page, base }) => {
    const { host, url } = await newRoom(base);
    await enter(page, url);
    await withPeople(browser, url, 1, async (other) => {
      await say(page, "Who is still awake?");
      await say(other, "Me, obviously");
      await line(page, "Me, obviously").waitFor();
      await page.getByRole("button", { name: /^2 of 2/ }).waitFor();
      const [me, them] = [chat.faces[await faceOf(page)], chat.faces[await faceOf(other)]];
      inOrder(await read(page), [
        "banner",
        /^heading, midnight tacos/,
        new RegExp(chat.composer.youAre(me)),
        new RegExp(`^button, ${chat.header.members(2, 2)}`),
        new RegExp(`^button, ${chat.header.menu}, not expanded`),
        `log, ${chat.log.label}`,
        new RegExp(`by ${host.username}$`),
        "article",
        chat.you,
        "Who is still awake?",
        /^\d\d:\d\d$/,
        chat.message.sent,
        "end of article",
        "article",
        them,
        "Me, obviously",
        /^\d\d:\d\d$/,
        "end of article",
        `end of log, ${chat.log.label}`,
        new RegExp(`^textbox, ${chat.composer.label}\\b`),
        `button, ${chat.composer.photo}`,
        new RegExp(`^button, ${chat.composer.send}`),
      ]);
    });
  },

  "screen reader: what comes is told once and politely, one’s own isn’t": async ({ browser, page, base }) => {
    const { url } = await newRoom(base);
    await enter(page, url);
    await listen(page);
    await withPeople(browser, url, 1, async (other) => {
      const name = chat.faces[await faceOf(other)];
      await say(page, "something of my own");
      await say(other, "good evening");
      const sentence = chat.log.said(name, "good evening");
      const times = async (words) => (await heard(page)).filter((phrase) => phrase.includes(words));
      await until("the message is told", async () => (await times("good evening")).length > 0);
      await say(other, "and good night");
      await until("the next is told", async () => (await times("and good night")).length > 0);
      assert.deepEqual(await times("good evening"), [`polite: ${sentence}`]);
      assert.deepEqual(await times("something of my own"), []);
      // A face is called by its name, not by whatever a reader makes of the sign.
      assert.deepEqual(await times(chat.notices.joined("").trim()), [`polite: ${chat.notices.joined(name)}`]);
    });
  },

  "screen reader: each note says when it came, and so do its buttons": async ({ page, context, base }) => {
    const person = await register(base, "hears-notes");
    // Longer than its teaser: it stays new while it is listened to.
    const note = "a note that is to be heard ".repeat(10).trim();
    await sendNote(base, person.username, note);
    await signedIn(context, base, person);
    await page.goto(`${base}/homepage?tab=inbox`);
    const card = page.getByRole("article");
    await card.waitFor();
    const shown = await card.locator("time").evaluate((time) => time.textContent);
    const title = `${app.inbox.cardTitle} ${app.inbox.unread} ${shown}`;
    const when = (await card.locator("time span").allTextContents()).join(", ");
    const button = (name) => new RegExp(`^button, ${name(when)}`);
    inOrder(await read(page), [
      new RegExp(`^tab, ${app.home.tabs.inbox} ${app.home.unread(1)}, selected`),
      `heading, ${app.inbox.heading}, level 1`,
      `article, ${title}`,
      button(app.inbox.capture),
      button(app.inbox.more),
      button(app.inbox.expand),
      `end of article, ${title}`,
    ]);
    await card.getByRole("button", exact(app.inbox.expand(when))).click();
    inOrder(await read(page), [button(app.inbox.collapse), note]);
  },

  "screen reader: forms tell what has to be filled in and what is wrong": async ({ page, base }) => {
    const sender = await register(base, "hears-forms");
    const invalid = (label, error) => new RegExp(`^textbox, ${label}, .*${error}.*, invalid.*, required`);
    for (const [path, submit, wrong] of [
      [
        "/signup",
        app.signUp.submit,
        [
          [app.form.username, app.codes.username_too_short],
          [app.form.email, app.codes.email_invalid],
        ],
      ],
      ["/login", app.login.submit, [[app.login.identifier, app.codes.credentials_invalid]]],
      ["/reset", app.reset.submit, [[app.form.email, app.codes.reset_email_invalid]]],
      [`/${sender.username}`, app.note.submit, [[app.note.words, app.codes.note_too_short]]],
    ]) {
      await page.goto(base + path);
      const [[first]] = wrong;
      await page.getByLabel(first).waitFor();
      inOrder(
        await read(page),
        wrong.map(([label]) => new RegExp(`^textbox, ${label}, (?!.*invalid).*required`)),
      );
      await page.getByRole("button", exact(submit)).click();
      await page.getByText(wrong[0][1]).waitFor();
      inOrder(
        await read(page),
        wrong.map(([label, error]) => invalid(label, error)),
      );
      // The first that is wrong has the focus, and so is heard.
      assert.ok(await page.getByLabel(first).evaluate((field) => field === document.activeElement));
    }
  },

  "screen reader: dialogs and menus say what they are": async ({ page, context, base }) => {
    const { host, url } = await newRoom(base);
    await signedIn(context, base, host);
    await enter(page, url);
    await page.setInputFiles("input[type=file]", ICON);
    const caption = page.getByLabel(chat.preview.caption);
    assert.equal(await caption.getAttribute("aria-required"), "false");
    inOrder(await read(page), [
      `dialog, ${chat.preview.title(1)}`,
      new RegExp(`^textbox, ${chat.preview.caption}, `),
      `end of dialog, ${chat.preview.title(1)}`,
    ]);
    await page.keyboard.press("Escape");
    await caption.waitFor({ state: "detached" });
    await page.getByRole("button", exact(chat.header.menu)).first().click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    await page.getByRole("menuitem", exact(chat.menu.close)).click();
    await page.getByRole("alertdialog").waitFor();
    const phrases = await read(page);
    inOrder(phrases, [
      new RegExp(`^alertdialog, ${chat.close.title.replace("?", "\\?")}, ${chat.close.body}`),
    ]);
  },
};
