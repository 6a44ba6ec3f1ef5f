import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "@/shared/api/api";
import { keysOf, newSecret } from "@/shared/conversations/secret";
import { contentKeyOf, copyPlace, lineKeyOf, sealLine } from "@/shared/sealing/lines";
import { newInboxKey } from "@/shared/sealing/newInboxKey";
import { withCopy } from "@/shared/sealing/noteMessage";
import { sealNote } from "@/shared/sealing/notes";
import { realEnvironment } from "../../environment";
import type { ChatFrame } from "../../model/frames";
import { EMOJI_OF, type Side } from "../../model/pair";
import { draftKey, outboxKey } from "../../storage";
import { chatFrameOf, pageOf } from "../conversationCalls";
import { openTalk } from "./openTalk";
import { SealedTalk } from "./SealedTalk";

const TARGET = "0f8b1c1e-52a7-4f0e-9a53-6c2f1b7d9e44";
const UNOPENED = "This message can’t be opened";

const secret = newSecret();
const id = (await keysOf(secret))?.id ?? "";
const contentKey = await contentKeyOf(secret);
const key = await lineKeyOf(contentKey);
const inbox = await newInboxKey();
const talks = { owner: new SealedTalk(id, "owner", key), sender: new SealedTalk(id, "sender", key) };

/** The browser's database isn't there in tests. Here is what the device has of it. */
const device = vi.hoisted(() => ({ key: undefined as unknown }));
vi.mock("@/shared/sealing/inboxKey", () => ({ privateKeyOf: async () => device.key }));

beforeEach(() => {
  device.key = inbox.key;
});
afterEach(() => localStorage.clear());

type Line = Omit<Schemas["LineItem"], "seen">;

async function said(from: Side, line: string, words: string, seq: number): Promise<Line> {
  const { message } = await talks[from].seal({ event: "event.chat", id: line, message: words });
  return { seq, id: line, from, message: String(message), time: "2026-11-30 10:00:00" };
}

async function dataOf(me: Side, lines: Line[], note?: string): Promise<Schemas["ConversationData"]> {
  const sealed = await sealNote(inbox.publicKey, TARGET, { m: "the note", f: false, k: contentKey });
  const copy = await sealLine(key, copyPlace(id), "the note");
  const message = note ?? withCopy(sealed, copy);
  const rest = { open: true, last_seq: 9, has_older: false, unread: 0, expires: "2026-12-27 10:00:00" };
  const all = lines.map((line) => ({ ...line, seen: false }));
  return {
    id,
    me,
    to: "wildfox",
    note: { message, date: "2026-11-27 10:00:00", sealed: TARGET },
    lines: all,
    ...rest,
  };
}

const open = async (me: Side, lines: Line[] = [], note?: string) =>
  openTalk(pageOf(await dataOf(me, lines, note)), me === "sender" ? secret : undefined);

async function opened(me: Side, lines: Line[] = [], note?: string) {
  const talk = await open(me, lines, note);
  if (typeof talk === "string") throw new Error(talk);
  return talk;
}

test("both sides read the note and each other's lines, and the server reads neither", async () => {
  const lines = [
    await said("sender", "a".repeat(15), "hello", 1),
    await said("owner", "b".repeat(15), "hi", 2),
  ];
  expect(JSON.stringify(await dataOf("owner", lines))).not.toMatch(/the note|hello/);
  for (const side of ["owner", "sender"] as const) {
    const { data } = await opened(side, lines);
    expect(data.pair?.note.message).toBe("the note");
    expect(data.messages.map((line) => (line as ChatFrame).message)).toEqual(["hello", "hi"]);
  }
});

test("what a line quotes is opened, until it is unsent, and goes without its words", async () => {
  const first = await said("sender", "a".repeat(15), "hello", 1);
  const second = await said("owner", "b".repeat(15), "hi", 2);
  const reply = { seq: 1, from: "sender" as const, message: first.message };
  const { data } = await opened("owner", [first, { ...second, reply }]);
  expect((data.messages[1] as ChatFrame).reply).toEqual([EMOJI_OF.sender, "hello", 1, ""]);
  const gone = { ...first, message: "", unsent: true };
  const later = await opened("owner", [gone, { ...second, reply: { ...reply, message: "" } }]);
  expect((later.data.messages[1] as ChatFrame).reply).toEqual([EMOJI_OF.sender, "", 1, ""]);
  const quoting = {
    event: "event.chat",
    id: "c".repeat(15),
    message: "yes",
    reply: [EMOJI_OF.sender, "hello", 1, ""],
  };
  expect(JSON.stringify(await talks.owner.seal(quoting))).not.toMatch(/hello|yes/);
});

test("a line that comes by the socket is opened", async () => {
  const line = chatFrameOf(await said("owner", "b".repeat(15), "hi", 2));
  expect(await talks.sender.frame(line)).toMatchObject({ message: "hi", seq: 2 });
  const typing = { event: "event.typing", sender: EMOJI_OF.owner } as const;
  expect(await talks.sender.frame(typing)).toBe(typing);
});

test("a line that was moved, changed, or is none of this app's, is said not to open", async () => {
  const line = await said("sender", "a".repeat(15), "hello", 1);
  const other = newSecret();
  const elsewhere = new SealedTalk(id, "sender", await lineKeyOf(await contentKeyOf(other)));
  const foreign = await elsewhere.seal({ event: "event.chat", id: line.id, message: "hello" });
  const wrong: Line[] = [
    { ...line, from: "owner" },
    { ...line, id: "b".repeat(15) },
    { ...line, message: line.message.replace(/.(?=.{40}$)/, (sign) => (sign === "A" ? "B" : "A")) },
    { ...line, message: "hello" },
    { ...line, id: "note", message: await sealLine(key, copyPlace(id), "the note") },
    { ...line, message: String(foreign.message) },
    await said("sender", "c".repeat(15), "a".repeat(281), 1),
    await said("sender", "c".repeat(15), " ", 1),
  ];
  for (const one of wrong)
    expect(await talks.owner.frame(chatFrameOf(one))).toMatchObject({ message: UNOPENED, unopened: true });
  expect(await talks.owner.frame(chatFrameOf(line))).not.toHaveProperty("unopened");
});

test("without its key a device opens nothing, and with another key neither", async () => {
  device.key = undefined;
  expect(await open("owner")).toBe("keyless");
  device.key = (await newInboxKey()).key;
  expect(await open("owner")).toBe("broken");
  device.key = inbox.key;
  const noKey = await sealNote(inbox.publicKey, TARGET, { m: "the note", f: false });
  expect(await open("owner", [], noKey)).toBe("broken");
  const page = pageOf(await dataOf("sender", []));
  vi.stubGlobal("crypto", {});
  expect(await openTalk(page, secret)).toBe("insecure");
});

test("a sender whose copy doesn't open still reads the lines", async () => {
  const note = await sealNote(inbox.publicKey, TARGET, { m: "the note", f: false, k: contentKey });
  const { data } = await opened("sender", [await said("owner", "b".repeat(15), "hi", 2)], note);
  expect(data.pair?.note.message).toBe(UNOPENED);
  expect((data.messages[0] as ChatFrame).message).toBe("hi");
});

test("what waits on the device can't be read without the key", async () => {
  const { data, seal } = await opened("sender");
  const { storage } = seal.environment(realEnvironment(data.id, Number.POSITIVE_INFINITY));
  storage.setItem(draftKey(id), JSON.stringify({ words: "a secret draft" }));
  storage.setItem(outboxKey(id), JSON.stringify([{ id: "1", words: "a secret line" }]));
  await vi.waitFor(() => expect(localStorage.length).toBe(2));
  expect(JSON.stringify({ ...localStorage })).not.toContain("secret");
  expect(storage.getItem(draftKey(id))).toContain("a secret draft");
  const again = (await opened("sender")).seal.environment(realEnvironment(id, Number.POSITIVE_INFINITY));
  expect(again.storage.getItem(outboxKey(id))).toContain("a secret line");
  // The list of groups must not take it for a group.
  storage.setItem(`annon.seen.${id}`, "1");
  expect(localStorage.length).toBe(2);
});

test("a page that is loaded later is opened, too", async () => {
  const { seal } = await opened("sender");
  const page = pageOf(await dataOf("sender", [await said("owner", "b".repeat(15), "hi", 2)]));
  const open = realEnvironment(id, Number.POSITIVE_INFINITY);
  const { calls } = seal.environment({ ...open, calls: { ...open.calls, page: async () => page } });
  const loaded = await calls.page(50);
  expect((loaded.messages[0] as ChatFrame).message).toBe("hi");
  expect(loaded).toMatchObject({ pair: { note: { message: "the note" } } });
});
