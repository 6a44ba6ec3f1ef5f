/** One short walk through the app, for every engine: what people do most, and what engines differ in. */
import { PICTURE } from "../support/page.ts";
import { inboxOf, PASSWORD } from "../support/people.ts";
import { expect, test } from "../support/test.ts";
import { ENTER, type Screen, screenOf, TAB } from "./screen.ts";
import { withWebKit } from "./webkit.ts";
import { withChromium, withFirefox } from "./windows.ts";

const NOTE = "Nobody will ever know which browser wrote this.";

const ENGINES = { Chromium: withChromium, Firefox: withFirefox, WebKit: withWebKit };

for (const [engine, withEngine] of Object.entries(ENGINES)) {
  test(`a walk in ${engine}`, async ({ server }, info) => {
    await withEngine(async (open) => {
      const [owner, guest] = [screenOf(await open()), screenOf(await open())];
      // The other engine's walk may have been on the same server.
      const name = `walker-${engine.toLowerCase()}`;
      try {
        for (const screen of [owner, guest]) await screen.resize(390, 844);
        await signUp(owner, name, server.base);
        await noteArrives(owner, guest, name, server.base);
        await talk(owner, guest, await openGroup(owner, server.base));
        await reloadKeepsSeat(guest);

        // A message that was written while the server was down arrives once, and no other message is lost.
        await server.kill();
        for (const screen of [owner, guest]) await screen.reads("Connection lost. Reconnecting…");
        await say(owner, "Is anybody there?");
        await server.restart();
        await guest.hears("Is anybody there?");
        await say(guest, "Always");
        const all = ["Who is still awake?", "Me. Obviously", "the card", "Is anybody there?", "Always"];
        for (const screen of [owner, guest]) {
          await screen.hears("Always");
          expect(await screen.allWords()).toEqual(all);
          await screen.reload();
          await screen.hears("Always");
          expect(await screen.allWords()).toEqual(all);
          expect(await screen.faults()).toBe("");
        }
      } catch (error) {
        for (const [at, screen] of [owner, guest].entries())
          await info.attach(`${engine}-${at}`, { body: await screen.screenshot(), contentType: "image/png" });
        throw error;
      }
    });
  });
}

/** No script runs, not even one of the test's, so the keyboard does it all, and the inbox says what came of it. */
test("a note in Firefox without scripts", async ({ person }) => {
  await withFirefox(
    async (open) => {
      const tab = await open();
      await tab.open(`${person.base}/${person.username}`);
      // The message box has the focus. The button comes after it.
      await tab.press(`${NOTE}${TAB}${ENTER}`);
      await expect.poll(() => inboxOf(person)).toEqual([NOTE]);
      expect(tab.complaints).toEqual([]);
    },
    { "javascript.enabled": false },
  );
});

async function signUp(screen: Screen, name: string, base: string) {
  await screen.open(`${base}/`);
  await screen.sees("h1", /Say it without the/);
  await screen.click("a", "Sign Up");
  await screen.write("Username", name);
  await screen.write("Email", `${name}@mail.example`);
  await screen.write("Password", PASSWORD);
  await screen.click("button", "Create account");
  await screen.sees("h1", `Hello, ${name}`);
}

/** The guest writes a note, and the owner's open page receives it by the socket. */
async function noteArrives(owner: Screen, guest: Screen, name: string, base: string) {
  await owner.click("[role=tab]", /^Inbox/);
  await owner.reads("All quiet");
  await guest.open(`${base}/${name}`);
  await guest.write("Your anonymous note", NOTE);
  await guest.click("button", "Send it");
  await guest.sees("h1", `Anonymous Message Sent to ${name}`);
  await owner.sees("[role=tab]", /1 unread/);
  await owner.click("button", /^Read the note/);
  await owner.reads(NOTE);
  await owner.sees("[role=tab]", "Inbox");
}

/** Creates a group and opens it. Gives its address. */
async function openGroup(owner: Screen, base: string) {
  await owner.open(`${base}/room/new`);
  await owner.write("Group name", "midnight tacos");
  await owner.click("button", "Create Group");
  const { href } = await owner.sees("a", "Open Group");
  await owner.click("a", "Open Group");
  return href;
}

async function talk(owner: Screen, guest: Screen, address: string) {
  await say(owner, "Who is still awake?");
  await guest.open(address);
  await guest.hears("Who is still awake?");
  await say(guest, "Me. Obviously");
  await owner.hears("Me. Obviously");
  await guest.choose(PICTURE);
  await guest.write("Caption", "the card");
  await guest.click("button", "Send");
  for (const screen of [owner, guest]) await screen.hasPicture();
  // The page must not scroll. Otherwise there would be a scroll bar beside the group.
  const sizes = "[document.documentElement.scrollHeight, innerWidth]";
  const wanted = "[innerHeight, document.documentElement.clientWidth]";
  expect(await owner.evaluate(sizes)).toEqual(await owner.evaluate(wanted));
}

async function reloadKeepsSeat(screen: Screen) {
  const emoji = () => screen.evaluate(`document.querySelector("form [data-tone]").textContent`);
  const before = await emoji();
  await screen.reload();
  // The messages of the last visit are shown at once, but only the server knows who is here.
  await screen.sees("button", /^2 of 2 here now/);
  await screen.hears("Who is still awake?");
  expect(await emoji()).toBe(before);
}

async function say(screen: Screen, words: string) {
  await screen.write("Message", words);
  await screen.press(ENTER);
  await screen.hears(words);
}
