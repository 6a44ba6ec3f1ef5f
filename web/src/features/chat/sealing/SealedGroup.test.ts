import { beforeEach, expect, test } from "vitest";
import type { ChatFrame, Frame } from "../model/frames";
import type { RoomPage } from "../model/transitions";
import { announced, newSigner, sealBody } from "./body";
import { type Keys, keysOf, newKey } from "./keys";
import { SealedGroup } from "./SealedGroup";

const ROOM = "5f2c0a8e-9f0b-4c6e-8d1a-2b3c4d5e6f70";
type Sent = Record<string, unknown>;

let keys: Keys;
/** The log, as a server keeps it. */
let log: ChatFrame[];
let groups: SealedGroup[];

beforeEach(async () => {
  const found = await keysOf(newKey());
  if (!found) throw new Error("a new key is one");
  keys = found;
  log = [];
  groups = [];
});

function kept() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

async function member(me: string, storage = kept(), signer?: CryptoKeyPair) {
  const group = new SealedGroup({
    room: ROOM,
    me,
    keys,
    signer: Promise.resolve(signer ?? (await newSigner())),
    storage,
    page: async (_, before = 1e9) => pageOf(log.filter(({ seq }) => seq < before)),
    newId: () => Array.from({ length: 15 }, () => "abc"[Math.floor(Math.random() * 3)]).join(""),
  });
  groups.push(group);
  return group;
}

function pageOf(messages: readonly ChatFrame[], has_older = false): RoomPage {
  const last_seq = log.at(-1)?.seq ?? 0;
  return { messages, last_seq, has_older } as unknown as RoomPage;
}

/** The server takes a message from a seat, and everybody hears it. */
async function take(sender: string, message: Sent): Promise<ChatFrame> {
  const quoted = Array.isArray(message.reply)
    ? log.find(({ seq }) => seq === (message.reply as number[])[2])
    : undefined;
  const reply = quoted ? [quoted.sender, "Sealed", quoted.seq, ""] : null;
  const frame = { ...message, sender, caption: "", time: "12:00:00.000", seq: log.length + 1, reply };
  log.push(frame as unknown as ChatFrame);
  let last: Frame | undefined;
  for (const group of groups) last = await group.frame(frame as unknown as Frame);
  return last as ChatFrame;
}

let ids = 0;
function newId() {
  ids += 1;
  return String(ids).padStart(15, "0");
}

async function say(group: SealedGroup, me: string, words: string, more: Sent = {}) {
  const message = { event: "event.chat", id: newId(), message: words, ...more };
  const sent = await group.seal(message, (first) => void take(me, first));
  return take(me, sent);
}

const shown = (frames: RoomPage) =>
  (frames.messages as unknown as ChatFrame[]).map(({ message, doubt }) => [message, doubt]);

test("members hear each other, a newcomer reads it all, and a key is no message", async () => {
  const [fox, dog] = [await member("🦊"), await member("🐶")];
  expect(await say(fox, "🦊", "first")).toMatchObject({ message: "first", sender: "🦊" });
  expect(await say(dog, "🐶", "second")).not.toHaveProperty("doubt");
  await say(fox, "🦊", "third");
  expect(log.map(({ kind = "words" }) => kind)).toEqual(["key", "words", "key", "words", "words"]);
  expect(JSON.stringify(log)).not.toMatch(/first|second|third/);
  const late = await member("🐱");
  expect(shown(await late.page(pageOf(log), true))).toEqual([
    ["first", undefined],
    ["second", undefined],
    ["third", undefined],
  ]);
});

test("no member speaks for another, even with the server's help", async () => {
  const [fox, cat] = [await member("🦊"), await member("🐱")];
  await say(fox, "🦊", "first");
  // The dog has the group's key. It signs with its own, and the server gives its message the fox's seat.
  const dog = await member("🦊");
  groups = [];
  const message = { event: "event.chat", id: newId(), message: "forged" };
  const forged = await dog.seal(message, (key) => {
    const frame = { ...key, sender: "🦊", caption: "", time: "", seq: 2, reply: null };
    void dog.frame(frame as unknown as Frame);
  });
  groups = [cat, fox];
  for (const one of [cat, fox]) {
    const frame = { ...forged, sender: "🦊", caption: "", time: "", seq: 3, reply: null };
    expect(await one.frame(frame as unknown as Frame)).toMatchObject({ unopened: true });
  }
});

test("another key in a seat is said, and the seat's messages are believed from then on", async () => {
  const [fox, dog] = [await member("🦊"), await member("🐶")];
  await say(fox, "🦊", "first");
  groups = [dog];
  const again = await member("🦊");
  const heard: Frame[] = [];
  const message = { event: "event.chat", id: newId(), message: "with another key" };
  const sent = await again.seal(message, async (first) => {
    const frame = { ...first, sender: "🦊", caption: "", time: "", seq: log.length + 1, reply: null };
    log.push(frame as unknown as ChatFrame);
    heard.push(await dog.frame(frame as unknown as Frame));
    await again.frame(frame as unknown as Frame);
  });
  expect(heard).toMatchObject([{ event: "event.notify", message: expect.stringContaining("🦊") }]);
  expect(await take("🦊", sent)).toMatchObject({ message: "with another key" });
  const late = await member("🐱");
  const page = await late.page(pageOf(log), true);
  expect(page.messages.map((line) => line.event)).toEqual(["event.chat", "event.notify", "event.chat"]);
});

test("a key that is announced for another's seat, and isn't signed by itself, is no key", async () => {
  const fox = await member("🦊");
  await say(fox, "🦊", "first");
  const [signer, k] = [await newSigner(), await announced(await newSigner())];
  const id = newId();
  const place = { room: ROOM, sender: "🦊", id, answers: "" };
  const message = await sealBody(keys, signer, place, { kind: "key", k }, { n: 0, p: "", s: 2 });
  const late = await member("🐱");
  groups = [late];
  expect(await take("🦊", { event: "event.chat", id, message, kind: "key" })).toMatchObject({
    unopened: true,
  });
  groups = [late, fox];
  expect(await say(fox, "🦊", "second")).toMatchObject({ message: "second" });
});

test("a page that is changed on its way is noticed", async () => {
  const fox = await member("🦊");
  for (const words of ["one", "two", "three", "four"]) await say(fox, "🦊", words);
  const [key, one, two, three, four] = log;
  if (!key || !one || !two || !three || !four) throw new Error("five lines");
  const look = async (lines: ChatFrame[]) => shown(await (await member("🐱")).page(pageOf(lines), true));
  const missing = expect.stringContaining("missing");
  expect(await look([key, one, three, four])).toEqual([
    ["one", undefined],
    ["three", missing],
    ["four", undefined],
  ]);
  const unopened = ["This message can’t be opened", undefined];
  expect(await look([key, one, { ...two, id: three.id }])).toEqual([["one", undefined], unopened]);
  expect(await look([key, one, { ...two, sender: "🐶" }])).toEqual([["one", undefined], unopened]);
  expect(await look([key, one, { ...two, message: two.message.replace(/..$/, "AA") }])).toEqual([
    ["one", undefined],
    unopened,
  ]);
  // Without the key nobody can say whose the words are.
  const unproved = expect.stringContaining("Nobody can check");
  log = [one, two];
  expect(await look([one, two])).toEqual([
    ["one", unproved],
    ["two", unproved],
  ]);
});

test("what is kept back between two pages is said where the older one ends", async () => {
  const [fox, dog] = [await member("🦊"), await member("🐶")];
  for (const words of ["one", "two", "three"]) await say(fox, "🦊", words);
  await say(dog, "🐶", "four");
  // The key, "one" and "two" are on the older page.
  const [key, one, two, three] = log;
  if (!key || !one || !two || !three) throw new Error("four lines");
  const pages = async (older: ChatFrame[], newer: ChatFrame[]) => {
    const late = await member("🐱");
    return [await late.page(pageOf(newer, true), true), await late.page(pageOf(older), false)].map(shown);
  };
  const newer = [
    ["three", undefined],
    ["four", undefined],
  ];
  const missing = expect.stringContaining("wrote after this is missing");
  expect(await pages(log.slice(0, 3), log.slice(3))).toEqual([
    newer,
    [
      ["one", undefined],
      ["two", undefined],
    ],
  ]);
  expect(await pages([key, one], log.slice(3))).toEqual([newer, [["one", missing]]]);
  // A key is no message: a notice stands in its place.
  expect(await pages([key], log.slice(3))).toEqual([newer, [[missing, undefined]]]);
});

test("keys that were announced before the page are looked for", async () => {
  const fox = await member("🦊");
  for (const words of ["one", "two", "three"]) await say(fox, "🦊", words);
  const late = await member("🐱");
  expect(shown(await late.page(pageOf(log.slice(2), true), true))).toEqual([
    ["two", undefined],
    ["three", undefined],
  ]);
});

test("who comes back goes on where they were", async () => {
  const storage = kept();
  const signer = await newSigner();
  const fox = await member("🦊", storage, signer);
  await say(fox, "🦊", "one");
  groups = [await member("🐶")];
  const back = await member("🦊", storage, signer);
  expect(await say(back, "🦊", "two")).not.toHaveProperty("doubt");
  expect(log.filter(({ kind }) => kind === "key")).toHaveLength(1);
  expect(shown(await (await member("🐱")).page(pageOf(log), true))).toEqual([
    ["one", undefined],
    ["two", undefined],
  ]);
});

test("a quote has the words that were quoted, as long as they are there", async () => {
  const [fox, dog] = [await member("🦊"), await member("🐶")];
  const { id, seq } = await say(fox, "🦊", "one");
  const reply = { reply: ["🦊", "one", seq, ""], answers: id };
  expect(await say(dog, "🐶", "two", reply)).toMatchObject({ reply: ["🦊", "one", seq, ""] });
  const last = log.at(-1) as ChatFrame;
  const gone = { ...last, reply: ["🦊", "", seq, ""] } as ChatFrame;
  const late = await member("🐱");
  const page = await late.page(pageOf([...log.slice(0, -1), gone]), true);
  expect(page.messages.at(-1)).toMatchObject({ message: "two", reply: ["🦊", "", seq, ""] });
  // The server can't make it the answer to another one.
  const other = { ...last, answers: newId() };
  const moved = await late.page(pageOf([...log.slice(0, -1), other]), true);
  expect(moved.messages.at(-1)).toMatchObject({ unopened: true });
});
