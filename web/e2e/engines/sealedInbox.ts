/**
 * A sealed inbox, and a conversation that begins there. Each engine has its own way to keep a key that can't be read
 * out of it, so what was opened has to open again after a reload.
 */
import { CODE, groupOf } from "../support/seal.ts";
import { expect } from "../support/test.ts";
import { signIn } from "./accounts.ts";
import type { Screen } from "./screen.ts";

const NOTE = "Did you ever find out who it was?";
const ANSWER = "It was me. Please tell nobody.";
const REPLY = "I never would. It is sealed.";

const HAS_CODE = `[...document.querySelectorAll("dialog [dir=ltr] > span:not(.visually-hidden)")]
  .map((group) => group.textContent).join("")`;

/** The owner is signed in, the guest isn't, and the phone is another device of the owner's. */
type People = { owner: Screen; guest: Screen; phone: Screen };

export async function sealedInbox({ owner, guest, phone }: People, name: string, base: string) {
  const code = await seal(owner, base);
  const shared = await sharedLink(owner, base);
  await owner.open(`${base}/homepage?tab=inbox`);
  await owner.sees("button", "Sealed");

  await guest.open(shared);
  await guest.sees("button", "Sealed");
  await guest.write("Your anonymous note", NOTE);
  await guest.click("[role=switch]", /^I’d like an answer/);
  await guest.click("button", "Send it");
  await guest.click("button", "Remember on this device");
  const link = String(
    await guest.evaluate(`document.querySelector("[aria-labelledby=private-link] a").href`),
  );
  await owner.reads(NOTE);

  await owner.click("a", /^Answer the note/);
  await owner.reads(NOTE);
  await owner.say(ANSWER);
  await guest.open(link);
  await guest.hears(ANSWER);
  await guest.say(REPLY);
  await owner.hears(REPLY);
  for (const screen of [owner, guest]) await screen.reload();
  for (const screen of [owner, guest]) {
    await screen.hears(REPLY);
    await screen.reads(NOTE);
    expect(await screen.allWords()).toEqual([ANSWER, REPLY]);
  }

  await signIn(phone, name, base);
  await phone.open(`${base}/homepage?tab=inbox`);
  await phone.click("button", "Open with recovery code");
  await phone.write("Recovery code", code);
  await phone.click("button", "Open");
  await phone.reads(NOTE);
  await phone.reload();
  await phone.reads(NOTE);
  await phone.click("a", /^Answer the note/);
  await phone.hears(REPLY);
  expect(await phone.allWords()).toEqual([ANSWER, REPLY]);
  for (const screen of [owner, guest, phone]) expect(await screen.faults()).toBe("");
}

/** Seals the inbox, and types the part of the recovery code that is asked for. Gives the code. */
async function seal(owner: Screen, base: string): Promise<string> {
  await owner.open(`${base}/settings`);
  await owner.click("button", /^Seal your inbox/);
  await owner.click("button", "Seal my inbox");
  await owner.sees("button", "I’ve kept it");
  const code = String(await owner.evaluate(HAS_CODE));
  expect(code).toMatch(CODE);
  await owner.click("button", "I’ve kept it");
  await owner.reads("Do you have it?");
  const asked = String(await owner.evaluate(`document.querySelector("dialog:modal label").innerText`));
  await owner.write(asked, groupOf(code, asked));
  await owner.click("button", "Done");
  await owner.reads("This device has the key.");
  return code;
}

/** The personal link as the owner shares it: it names the key. */
async function sharedLink(owner: Screen, base: string): Promise<string> {
  await owner.open(`${base}/homepage`);
  const shared = async () => new URL((await owner.sees("a", "Telegram")).href).searchParams.get("url") ?? "";
  await expect.poll(shared).toContain("#k=");
  return shared();
}
