import { expect, test } from "vitest";
import { creatorOf, keepCreator } from "@/shared/session/session";
import { EMOJIS, expectNoGap, type FakePerson, inLog, OUTBOX, PICTURE, people } from "./testing/fakePerson";
import { dice, FakeRoom, ROOM } from "./testing/fakeRoom";

test("what one says is shown at once, then sent, and reaches everybody", async () => {
  const { clock, one, two } = await people();
  expect(one.state.connection).toBe("live");
  one.chat.send(" hello ");
  expect(one.said("hello").delivery).toEqual({ state: "sending" });
  expect(one.sounds).toBe(1);
  await clock.pass(200);
  expect(one.said("hello")).toMatchObject({ delivery: { state: "sent" }, mine: true });
  expect(two.said("hello")).toMatchObject({ sender: "🦊", mine: false });
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

test("without a connection nothing is taken back, and that is told", async () => {
  const { room, clock, one } = await people();
  one.chat.send("oops");
  await clock.pass(200);
  room.goDown();
  await clock.pass(50);
  one.chat.unsend(one.said("oops"));
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

test("whose seat was free after a long sleep takes another, and keeps what was written", async () => {
  const { room, clock, one } = await people();
  one.storage.setItem(ROOM, "🦊");
  one.chat.keepDraft({ words: "half a sen", replyTo: undefined });
  room.seatless.add("🦊");
  room.cut("🦊");
  await clock.pass(5000);
  expect(one.state.ended).toBe("lapsed");
  expect(one.chat.draft().words).toBe("half a sen");
  expect(one.storage.getItem(ROOM)).toBe("🦊");
});

test("who is never let in with a seat just taken carries the next one, and asks for no third", async () => {
  const { room, clock, one } = await people();
  for (const ending of ["lapsed", "left"]) {
    room.seatless.add("🦊");
    one.storage.setItem(ROOM, "🦊");
    room.cut("🦊");
    const page = one.reloaded();
    page.carries = one.carries;
    await clock.pass(5000);
    expect(page.state.ended).toBe(ending);
    expect(page.carries).toBe(true);
    one.carries = true;
  }
});

test("who has left in another tab is not brought back", async () => {
  const { room, clock, one } = await people();
  room.seatless.add("🦊");
  room.cut("🦊");
  await clock.pass(5000);
  expect(one.state.ended).toBe("left");
});

test("the creator takes down what another said, once", async () => {
  const { clock, one, two } = await people();
  two.chat.send("rude");
  await clock.pass(200);
  const rude = one.said("rude");
  const asked = [one.chat.takeDown(rude), one.chat.takeDown(rude)];
  expect(await clock.pass(200, Promise.all(asked))).toEqual([true, false]);
  expect(two.messages.map(({ words, unsent }) => [words, unsent])).toEqual([["", true]]);
  expect(one.errors).toEqual(["This message is already gone"]);
});

test("leaving ends it here, and a refusal is told and changes nothing", async () => {
  const { clock, one } = await people();
  expect(await clock.pass(100, one.chat.lock(true))).toBe(false);
  expect(one.errors).toEqual(["Only the creator of this group can do that."]);
  expect(await clock.pass(100, one.chat.leave())).toBe(true);
  expect(one.state.ended).toBe("left");
});

test("news in a hidden page are counted and told of, by the sender alone", async () => {
  const { clock, one, two } = await people();
  one.isVisible = false;
  for (const listener of one.page) listener.looked();
  two.chat.send("psst");
  await clock.pass(300);
  expect(one.state).toMatchObject({ unread: 1, unreadFrom: one.said("psst").key });
  expect(one.notified).toEqual(["🐶"]);
  expect(two.notified).toEqual([]);
  one.isVisible = true;
  for (const listener of one.page) listener.looked();
  expect(one.state).toMatchObject({ unread: 0, unreadFrom: one.said("psst").key });
  one.chat.lookAtEnd(false);
  two.chat.send("more");
  await clock.pass(300);
  expect(one.state.unread).toBe(1);
  expect(one.notified).toHaveLength(1);
});

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
      else if (roll < 0.6) room.cut(EMOJIS[at]);
      else if (roll < 0.64) {
        room.goDown();
      } else if (roll < 0.7) room.sleep(EMOJIS[at] as string);
      else if (roll < 0.76) for (const listener of person.page) listener.woke();
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
      expect(person.state.lines.map(({ seq }) => seq)).toEqual(room.log.map(({ seq }) => seq));
      expect(person.words).toEqual(inLog(room));
      expect(person.storage.kept.has(OUTBOX)).toBe(false);
      expect([...person.pictures.kept.keys()]).toEqual([]);
      const emoji = EMOJIS[all.indexOf(person)];
      const own = room.messages.filter(({ sender }) => sender === emoji);
      const said = own.map(({ message, caption }) => message || caption);
      const written = (words: string) => !words.endsWith("shown");
      expect([...said].sort()).toEqual([...(sent.get(person) ?? [])].sort());
      // A picture whose upload has failed makes way for what was written after it.
      expect(said.filter(written)).toEqual(sent.get(person)?.filter(written));
    }
  },
);

test("what arrives is heard by whoever doesn't look, and what was missed isn't", async () => {
  const { room, clock, one, two } = await people();
  one.chat.send("seen");
  await clock.pass(200);
  expect([one.arrivals, two.arrivals]).toEqual([0, 0]);
  two.chat.lookAtEnd(false);
  one.chat.send("below");
  await clock.pass(200);
  expect([one.arrivals, two.arrivals]).toEqual([0, 1]);
  two.chat.lookAtEnd(true);
  two.isFocused = false;
  one.chat.send("in another window");
  await clock.pass(200);
  expect(two.arrivals).toBe(2);
  room.cut("🐶");
  one.chat.send("missed");
  await clock.pass(20_000);
  expect(two.words).toContain("missed");
  expect(two.arrivals).toBe(2);
});

test("who is meant is told so as long as it is unread", async () => {
  const { clock, one, two, all } = await people();
  for (const { chat } of all) chat.lookAtEnd(false);
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
});

test("an emoji that has left is still known", async () => {
  const { room, clock, one } = await people();
  expect([...one.state.emojis].sort()).toEqual([...EMOJIS].sort());
  room.notify("🐱 left");
  await clock.pass(200);
  expect(one.state.members).not.toContain("🐱");
  expect(one.state.emojis.has("🐱")).toBe(true);
});
