/** One short walk through the app, for every engine: what people do most, and what engines differ in. */
import { PICTURE } from "../support/page.ts";
import { inboxOf } from "../support/people.ts";
import { expect, test } from "../support/test.ts";
import { signUp } from "./accounts.ts";
import { ENTER, type Screen, screenOf, TAB } from "./screen.ts";
import { sealedInbox } from "./sealedInbox.ts";
import { withWebKit } from "./webkit.ts";
import { withChromium, withFirefox } from "./windows.ts";

const NOTE = "Nobody will ever know which browser wrote this.";

const ENGINES = { Chromium: withChromium, Firefox: withFirefox, WebKit: withWebKit };

for (const [engine, withEngine] of Object.entries(ENGINES)) {
  test(`a walk in ${engine}`, async ({ server }, info) => {
    // It is as long as three other tests.
    test.setTimeout(360_000);
    await withEngine(async (open) => {
      const all = [screenOf(await open()), screenOf(await open()), screenOf(await open())];
      const [owner, guest, phone] = all;
      // The other engine's walk may have been on the same server.
      const name = `walker-${engine.toLowerCase()}`;
      try {
        for (const screen of all) await screen.resize(390, 844);
        await signUp(owner, name, server.base);
        await noteArrives(owner, guest, name, server.base);
        await talk(owner, guest, await openGroup(owner, server.base));
        await reloadKeepsSeat(guest);

        // A message that was written while the server was down arrives once, and no other message is lost.
        await server.kill();
        for (const screen of [owner, guest]) await screen.reads("Connection lost. Reconnecting…");
        await owner.say("Is anybody there?");
        await server.restart();
        await guest.hears("Is anybody there?");
        await guest.say("Always");
        const words = ["Who is still awake?", "Me. Obviously", "the card", "Is anybody there?", "Always"];
        for (const screen of [owner, guest]) {
          await screen.hears("Always");
          expect(await screen.allWords()).toEqual(words);
          await screen.reload();
          await screen.hears("Always");
          expect(await screen.allWords()).toEqual(words);
          expect(await screen.faults()).toBe("");
        }

        // Each engine has its own cryptography, and keeps the key to sign with in its own way.
        await talk(owner, guest, await openGroup(owner, server.base, true));
        await guest.reload();
        await guest.hears("the card");
        await guest.say("Still me");
        await owner.hears("Still me");
        for (const screen of [owner, guest]) {
          expect(await screen.allWords()).toEqual([
            "Who is still awake?",
            "Me. Obviously",
            "the card",
            "Still me",
          ]);
          expect(await screen.evaluate(`document.body.textContent.includes("new key")`)).toBe(false);
          expect(await screen.faults()).toBe("");
        }

        await sealedInbox({ owner, guest, phone }, name, server.base);
      } catch (error) {
        for (const [at, screen] of all.entries())
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
async function openGroup(owner: Screen, base: string, isSealed = false) {
  await owner.open(`${base}/room/new`);
  await owner.write("Group name", "midnight tacos");
  if (isSealed) await owner.click("[role=switch]", /^Seal it/);
  await owner.click("button", "Create Group");
  const { href } = await owner.sees("a", "Open Group");
  await owner.click("a", "Open Group");
  // The page of a sealed group is loaded anew, and has a box that takes no words before the group is there.
  await owner.sees("button", /^1 of 1 here now/);
  return href;
}

async function talk(owner: Screen, guest: Screen, address: string) {
  await owner.say("Who is still awake?");
  await guest.open(address);
  await guest.hears("Who is still awake?");
  await guest.say("Me. Obviously");
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
