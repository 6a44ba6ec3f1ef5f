import { expect, test } from "vitest";
import { creatorOf, keepCreator } from "@/shared/session/session";
import { reactionsTo } from "./model/reactions";
import { EMOJIS, expectNoGap, FakePerson, inLog, OUTBOX, PICTURE, people } from "./testing/fakePerson";
import { dice, FakeRoom, ROOM } from "./testing/fakeRoom";

test("a message is shown at once, then sent, and reaches everybody", async () => {
  const { clock, one, two } = await people();
  expect(one.state.connection).toBe("live");
  one.chat.send(" hello ");
  expect(one.messageWith("hello").delivery).toEqual({ state: "sending" });
  expect(one.sounds).toEqual(["sent"]);
  await clock.pass(200);
  expect(one.messageWith("hello")).toMatchObject({ delivery: { state: "sent" }, mine: true });
  expect(two.messageWith("hello")).toMatchObject({ sender: "🦊", mine: false });
  expect(one.storage.kept.has(OUTBOX)).toBe(false);
});

test("nothing blank is sent, and nothing too long", async () => {
  const { room, clock, one } = await people();
  one.chat.send(" \n ");
  one.chat.send("x".repeat(256));
  one.chat.send("😀".repeat(255));
  await clock.pass(300);
  expect(inLog(room)).toEqual(["😀".repeat(255)]);
  expect(one.errors).toEqual(["Please shorten your message to 255 characters"]);
});

test("without a connection no message is taken back, and the page shows an error", async () => {
  const { room, clock, one } = await people();
  one.chat.send("oops");
  await clock.pass(200);
  room.goDown();
  await clock.pass(50);
  one.chat.retract(one.messageWith("oops"));
  expect(one.errors).toEqual(["The server isn’t responding. Try again in a moment."]);
});

test("typing is passed on every two seconds and expires", async () => {
  const { clock, one, two } = await people();
  one.chat.typing();
  one.chat.typing();
  await clock.pass(100);
  expect([...two.state.typing.keys()]).toEqual(["🦊"]);
  expect(one.state.typing.size).toBe(0);
  await clock.pass(5500);
  expect(two.state.typing.size).toBe(0);
});

test.each([
  ["expired", "group_expired", 4410],
  ["deleted", "group_deleted", 4410],
  ["kicked", "removed_from_group", 4403],
  ["left", "left_group", 4404],
] as const)("a room that is %s ends, and nothing of it stays", async (ending, code, status) => {
  const { room, clock, one } = await people();
  one.storage.setItem(ROOM, "🦊");
  keepCreator(ROOM, "host");
  one.chat.keepDraft({ words: "half a sen", replyTo: undefined });
  room.allowance = 0;
  one.chat.send("never arrives");
  await clock.pass(100);
  room.close("🦊", code, status);
  await clock.pass(200);
  expect(one.state.ended).toBe(ending);
  expect([...one.storage.kept.keys()]).toEqual([]);
  expect(creatorOf(ROOM) ?? "").toBe("");
  one.chat.keepDraft({ words: "late", replyTo: undefined });
  one.chat.send("late");
  expect([...one.storage.kept.keys()]).toEqual([]);
});

test("a page that is refused even with a seat that it carries asks for no third seat", async () => {
  const { room, clock } = await people();
  room.barred.set("🦊", "left");
  const one = new FakePerson(room, "🦊");
  one.storage.setItem(ROOM, "🦊");
  one.carries = true;
  await clock.pass(5000);
  expect(one.state.ended).toBe("left");
});

test("a member who has left in another tab doesn't get a new seat", async () => {
  const { room, clock, one } = await people();
  room.barred.set("🦊", "left");
  room.cut("🦊");
  await clock.pass(5000);
  expect(one.state.ended).toBe("left");
});

test("messages out of view are counted, play a sound, and are notified by the sender's emoji alone", async () => {
  const { room, clock, one, two } = await people();
  async function soundsAfter(words: string, within = 300) {
    const before = one.sounds.length;
    two.chat.send(words);
    await clock.pass(within);
    expect(one.words).toContain(words);
    return one.sounds.length - before;
  }
  function setVisible(isVisible: boolean) {
    one.isVisible = isVisible;
    one.page?.visibilityChanged();
  }
  expect(await soundsAfter("seen")).toBe(0);
  setVisible(false);
  expect(await soundsAfter("psst")).toBe(1);
  expect(one.state).toMatchObject({ unread: 1, unreadFrom: one.messageWith("psst").key });
  expect([one.notified, two.notified, two.sounds]).toEqual([["🐶"], [], ["sent", "sent"]]);
  setVisible(true);
  expect(one.state).toMatchObject({ unread: 0, unreadFrom: one.messageWith("psst").key });
  one.chat.setAtEnd(false);
  expect(await soundsAfter("below")).toBe(1);
  expect(one.state.unread).toBe(1);
  one.chat.setAtEnd(true);
  one.isFocused = false;
  expect(await soundsAfter("in another window")).toBe(1);
  room.cut("🦊");
  expect(await soundsAfter("missed", 20_000)).toBe(0);
  expect(one.notified).toHaveLength(1);
});

/** The reader reacts to any of the last messages, or takes a reaction back. */
function reactAtRandom(person: FakePerson, random: () => number) {
  const messages = person.state.lines.filter((line) => line.kind === "message" && line.seq !== undefined);
  const message = messages.at(-1 - Math.floor(random() * 5));
  const sign = ["👍", "❤️", "😂", "🎉"][Math.floor(random() * 4)] ?? "👍";
  if (message) person.chat.react(message, sign);
}

/** Who has reacted to which message with what, without order. */
function shownTo({ state }: FakePerson): Set<string> {
  const all = [...state.reacted].flatMap(([seq, { reactions }]) =>
    reactions.flatMap(({ sign, from }) => from.map((emoji) => `${seq} ${sign} ${emoji}`)),
  );
  return new Set(all);
}

function reactionsIn(room: FakeRoom): Set<string> {
  const all = room.messages.flatMap(({ seq, reactions = [] }) =>
    reactions.flatMap(({ emoji, from }) => from.map((whose) => `${seq} ${emoji} ${whose}`)),
  );
  return new Set(all);
}

test.each(Array.from({ length: 25 }, (_, seed) => seed))(
  "three people and their pictures under cuts, restarts, sleep and pacing (%i): everything once, in order, on every screen",
  async (seed) => {
    const random = dice(1000 + seed);
    const { room, clock, all } = await people(new FakeRoom(seed));
    room.resumes = random() < 0.5 ? 500 : 4;
    room.answersIn = () => 5 + room.random() ** 3 * 2000;
    const sent = new Map(all.map((person) => [person, [] as string[]]));
    const watch = (person: FakePerson) => person.chat.store.subscribe(() => expectNoGap(person, room));
    all.forEach(watch);
    for (let step = 0; step < 150; step += 1) {
      const at = Math.floor(random() * all.length);
      const person = all[at] as FakePerson;
      const roll = random();
      const words = `${EMOJIS[at]} ${step}`;
      if (roll < 0.5) sent.get(person)?.push(roll < 0.1 ? `${words} shown` : words);
      if (roll < 0.1) person.chat.sendPicture(PICTURE, `${words} shown`);
      else if (roll < 0.5) person.chat.send(words);
      else if (roll < 0.53) room.cut(EMOJIS[at]);
      else if (roll < 0.6) reactAtRandom(person, random);
      else if (roll < 0.64) {
        room.goDown();
      } else if (roll < 0.7) room.sleep(EMOJIS[at] as string);
      else if (roll < 0.76) person.page?.woke();
      else if (roll < 0.8) room.allowance = Math.floor(random() * 5);
      else if (roll < 0.84) {
        const again = person.reloaded();
        sent.set(again, sent.get(person) ?? []);
        sent.delete(person);
        all[at] = again;
        watch(again);
      } else if (roll < 0.92) room.isUp = true;
      else room.allowance = Number.POSITIVE_INFINITY;
      await clock.pass(random() < 0.7 ? random() * 60 : random() * 6000);
    }
    room.isUp = true;
    room.allowance = Number.POSITIVE_INFINITY;
    await clock.pass(240_000);

    for (const person of all) {
      await person.loadAll();
      expect(person.state.lines.map(({ seq }) => seq)).toEqual(room.lines.map(({ seq }) => seq));
      expect(shownTo(person)).toEqual(reactionsIn(room));
      expect(person.state.wished.size).toBe(0);
      expect(person.words).toEqual(inLog(room));
      expect(person.storage.kept.has(OUTBOX)).toBe(false);
      expect([...person.pictures.kept.keys()]).toEqual([]);
      const emoji = EMOJIS[all.indexOf(person)];
      const own = room.messages.filter(({ sender }) => sender === emoji);
      const stored = own.map(({ message, caption }) => message || caption);
      const written = (words: string) => !words.endsWith("shown");
      expect([...stored].sort()).toEqual([...(sent.get(person) ?? [])].sort());
      // Messages that were written after a picture may be sent before it, because its upload can fail.
      expect(stored.filter(written)).toEqual(sent.get(person)?.filter(written));
    }
  },
);

test("a mention counts until it is read, and the emoji of a member who has left is still known", async () => {
  const { room, clock, one, two, all } = await people();
  for (const { chat } of all) chat.setAtEnd(false);
  two.isVisible = false;
  one.chat.send("hello all");
  await clock.pass(200);
  expect(two.state).toMatchObject({ unread: 1, mentioned: false });
  one.chat.send("and you, @🐶");
  await clock.pass(200);
  expect(two.state).toMatchObject({ unread: 2, mentioned: true });
  expect(all[2]?.state).toMatchObject({ unread: 2, mentioned: false });
  expect(two.notified).toEqual(["🦊", "@🦊"]);
  two.chat.markRead();
  expect(two.state).toMatchObject({ unread: 0, mentioned: false });
  room.notify("🐱 left");
  await clock.pass(200);
  expect(one.state.members).toEqual(["🦊", "🐶"]);
  expect([...one.state.emojis].sort()).toEqual([...EMOJIS].sort());
});

test("a reaction is shown at once, reaches everybody, and is taken back by a second tap", async () => {
  const { clock, one, two } = await people();
  two.chat.send("hello");
  await clock.pass(200);
  const message = one.messageWith("hello");
  one.chat.react(message, "❤️");
  expect(reactionsTo(one.state, message.seq ?? 0)).toEqual([{ sign: "❤️", from: ["🦊"] }]);
  expect(shownTo(two).size).toBe(0);
  await clock.pass(200);
  expect(shownTo(two)).toEqual(new Set([`${message.seq} ❤️ 🦊`]));
  expect([one.state.wished.size, one.errors]).toEqual([0, []]);
  one.chat.react(message, "❤️");
  expect(reactionsTo(one.state, message.seq ?? 0)).toEqual([]);
  await clock.pass(200);
  expect(shownTo(two).size).toBe(0);
});

test("a reaction waits for the connection, and the last wish counts", async () => {
  const { room, clock, one, two } = await people();
  two.chat.send("hello");
  await clock.pass(200);
  const message = one.messageWith("hello");
  room.goDown();
  await clock.pass(50);
  for (const sign of ["👍", "👍", "😂", "🎉"]) one.chat.react(message, sign);
  expect(reactionsTo(one.state, message.seq ?? 0).map(({ sign }) => sign)).toEqual(["😂", "🎉"]);
  room.isUp = true;
  await clock.pass(20_000);
  expect(shownTo(two)).toEqual(new Set([`${message.seq} 😂 🦊`, `${message.seq} 🎉 🦊`]));
  // Sent too fast: it is sent again.
  room.allowance = 0;
  one.chat.react(message, "😂");
  await clock.pass(300);
  room.allowance = 5;
  await clock.pass(5000);
  expect(shownTo(two)).toEqual(new Set([`${message.seq} 🎉 🦊`]));
  expect([one.state.wished.size, one.errors]).toEqual([0, []]);
});

test("a fourth different reaction is refused kindly, and none is left on a message that is gone", async () => {
  const { room, clock, one, two } = await people();
  two.chat.send("hello");
  await clock.pass(200);
  const message = one.messageWith("hello");
  for (const sign of ["👍", "❤️", "😂", "🎉"]) one.chat.react(message, sign);
  expect(one.errors).toEqual(["You can leave three reactions on a message. Take one away first."]);
  await clock.pass(200);
  expect(reactionsIn(room).size).toBe(3);
  two.chat.retract(two.messageWith("hello"));
  one.chat.react(message, "😂");
  await clock.pass(500);
  expect([one.state.reacted.size, one.state.wished.size, one.errors.length]).toEqual([0, 0, 1]);
  one.chat.react(message, "👍");
  expect(one.state.wished.size).toBe(0);
});

test("a reaction that isn't confirmed is sent after a reload, unless another tab has sent it", async () => {
  const { room, clock, one, two } = await people();
  two.chat.send("hello");
  await clock.pass(200);
  const message = one.messageWith("hello");
  room.goDown();
  await clock.pass(50);
  one.chat.react(message, "❤️");
  one.chat.react(message, "👍");
  one.chat.react(message, "👍");
  const again = one.reloaded();
  const tab = new FakePerson(room, "🦊", again.storage);
  expect(reactionsTo(again.state, message.seq ?? 0)).toEqual([{ sign: "❤️", from: ["🦊"] }]);
  room.isUp = true;
  await clock.pass(20_000);
  expect(shownTo(two)).toEqual(new Set([`${message.seq} ❤️ 🦊`]));
  expect([again.state.wished.size, tab.state.wished.size]).toEqual([0, 0]);
  expect([...again.storage.kept.keys()].filter((key) => key.includes("reactions"))).toEqual([]);

  // One tab is cut off with a wish that both have; the other one sends it and takes it back.
  again.chat.stop();
  tab.chat.stop();
  room.goDown();
  const first = new FakePerson(room, "🦊", again.storage);
  first.chat.react(message, "😂");
  const late = new FakePerson(room, "🦊", again.storage);
  expect(late.state.wished.size).toBe(1);
  late.chat.stop();
  room.isUp = true;
  await clock.pass(20_000);
  first.chat.react(message, "😂");
  await clock.pass(500);
  // It has missed so much that it sees only what is there now.
  room.resumes = 0;
  late.chat.start();
  await clock.pass(20_000);
  expect(shownTo(two)).toEqual(new Set([`${message.seq} ❤️ 🦊`]));
});
