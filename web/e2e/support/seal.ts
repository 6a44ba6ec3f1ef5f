/** Sealed inboxes: steps of their owner, and notes that a sender's browser would seal. */
import { randomBytes } from "node:crypto";
import { fingerprintOf } from "../../src/shared/sealing/fingerprint.ts";
import { contentKeyOf, copyPlace, lineKeyOf, sealLine } from "../../src/shared/sealing/lines.ts";
import { newInboxKey } from "../../src/shared/sealing/newInboxKey.ts";
import { withCopy } from "../../src/shared/sealing/noteMessage.ts";
import { openNote, sealNote } from "../../src/shared/sealing/notes.ts";
import { newCode, readCode, wrap } from "../../src/shared/sealing/recovery.ts";
import { button, sees } from "./page.ts";
import {
  type Conversation,
  call,
  newConversation,
  newLineId,
  type Person,
  post,
  sayIn,
  tokenOf,
} from "./people.ts";
import { type AppPage, expect } from "./test.ts";

/** A recovery code as it is shown. */
export const CODE = /^([0-9A-Z]{5}-){5}[0-9A-Z*~$=]$/;

const NTH = ["first", "second", "third", "fourth", "fifth"];

/** What can be done with a seal, in the settings. */
export async function sealSettings(page: AppPage) {
  await page.visit("/settings");
  await page.button(/^Seal your inbox/).click();
}

/** The recovery code that a dialog shows. */
export async function shownCode(page: AppPage): Promise<string> {
  const code = (await page.dialog.locator("[dir=ltr] > span").allTextContents()).slice(1).join("");
  expect(code).toMatch(CODE);
  return code;
}

/** The group of the code that a dialog asks for. */
export async function groupAskedFor(page: AppPage, code: string): Promise<string> {
  return groupOf(code, (await page.dialog.getByText(/^The \w+ group$/).textContent()) ?? "");
}

/** The group of a code that a field of this name is for. */
export const groupOf = (code: string, label: string) =>
  code.split("-")[NTH.findIndex((nth) => label.includes(nth))] ?? "";

/** Reads the code that a dialog shows, and types the part of it that is asked for. Gives the code. */
export async function keepCode(page: AppPage): Promise<string> {
  const code = await shownCode(page);
  await button(page.dialog, "I’ve kept it").click();
  await page.dialog.getByRole("textbox").fill(await groupAskedFor(page, code));
  await button(page.dialog, "Done").click();
  await sees(page.dialog, "This device has the key.");
  return code;
}

/** Seals the inbox of whoever is signed in. Gives the recovery code. */
export async function sealInbox(page: AppPage): Promise<string> {
  await sealSettings(page);
  await button(page.dialog, "Seal my inbox").click();
  const code = await keepCode(page);
  await page.escape();
  return code;
}

/** Opens the inbox of a device without the key by a recovery code. */
export async function openByCode(page: AppPage, code: string) {
  await page.button("Open with recovery code").first().click();
  await page.dialog.getByRole("textbox", { name: "Recovery code" }).fill(code);
  await button(page.dialog, "Open").click();
}

/** Sends notes to a sealed inbox, each sealed as the sender's page does it, or with another key than it should be. */
export async function sendSealed(
  to: Person,
  words: string[],
  { onlyForYou = false, key }: { onlyForYou?: boolean; key?: string } = {},
) {
  const { target, seal } = await sealOf(to);
  for (const m of words) {
    const message = await sealNote(key ?? seal.key, target, { m, f: onlyForYou });
    await postNote(to, target, seal.key, { message, only_for_you: onlyForYou });
  }
}

/** Sends a sealed note whose sender would like an answer. */
export async function askSealed(to: Person, words: string): Promise<Conversation> {
  const { begun, wish } = newConversation(to);
  const { target, seal } = await sealOf(to);
  const k = await contentKeyOf(begun.secret);
  const note = await sealNote(seal.key, target, { m: words, f: false, k });
  const copy = await sealLine(await lineKeyOf(k), copyPlace(begun.id), words);
  await postNote(to, target, seal.key, { message: withCopy(note, copy), only_for_you: false, ...wish });
  return begun;
}

/** The owner or the sender says something in a sealed conversation, or something that doesn't open there. */
export async function saySealed(
  conversation: Conversation,
  from: "owner" | "sender",
  words: string,
  opens = true,
) {
  const key = await lineKeyOf(await contentKeyOf(conversation.secret));
  const id = newLineId();
  const place = { conversation: conversation.id, from, id: opens ? id : newLineId() };
  await sayIn(conversation, from, await sealLine(key, place, words), { id, sealed: true });
}

async function sealOf({ base, username }: Person) {
  const { message, seal } = await (await fetch(`${base}/api/annon/${username}`)).json();
  return { target: message as string, seal: seal as { key: string } };
}

async function postNote({ base }: Person, id: string, key: string, note: object) {
  const tag = randomBytes(16).toString("base64url");
  const answer = await post(base, "/annon-message", {
    id,
    sealed_for: await fingerprintOf(key),
    tag,
    ...note,
  });
  expect(answer.status).toBe(201);
}

/** Seals somebody's inbox without their browser, or puts a new key in the place of the old one. */
export async function sealAs(person: Person, openNotes = false) {
  const { key, publicKey, pkcs8 } = await newInboxKey();
  const code = newCode();
  const wrapped = await wrap(readCode(code).code ?? "", pkcs8);
  await call("PUT", person, "/seal", { key: publicKey, wrapped, open_notes: openNotes });

  return {
    code,
    path: `/${person.username}`,
    /** With the fingerprint of the key. */
    pinned: `/${person.username}#k=${await fingerprintOf(publicKey)}`,
    /** The notes of the inbox, newest first, with their words: of those that don't open what the server has. */
    async notes() {
      const headers = { Authorization: `Bearer ${await tokenOf(person)}` };
      const { data } = await (await fetch(`${person.base}/api/messages`, { headers })).json();
      const open = async ({ message, sealed }: { message: string; sealed?: string }) =>
        sealed === undefined ? message : ((await openNote(key, sealed, message))?.m ?? message);
      return Promise.all(data.map(open)) as Promise<string[]>;
    },
  };
}

/** Notes to somebody aren't sealed any more. */
export const unseal = (person: Person) => call("PATCH", person, "/seal", { on: false });
