import { expect, test } from "vitest";
import { expectNoGap, type FakePerson, inLog, people } from "../testing/fakePerson";

test("a dead socket that wasn't closed is noticed with the next message", async () => {
  const { room, clock, one } = await people();
  room.sleep("🦊");
  one.chat.send("anybody there");
  await clock.pass(5100);
  expect(one.messageWith("anybody there").delivery.state).toBe("sending");
  await clock.pass(6000);
  expect(inLog(room)).toEqual(["anybody there"]);
  expect(one.messageWith("anybody there").delivery.state).toBe("sent");
});

test("waking up replaces a dead socket within seconds and keeps a good one", async () => {
  const { room, clock, one, two } = await people();
  const wake = (person: FakePerson) => {
    person.page?.woke();
  };
  const socketOf = (emoji: string) => [...room.sockets].find((socket) => socket.emoji === emoji);
  const [mine, theirs] = [socketOf("🦊"), socketOf("🐶")];
  room.sleep("🦊");
  two.chat.send("while it slept");
  await clock.pass(500);
  expect(one.words).toEqual([]);
  wake(one);
  wake(two);
  await clock.pass(3500);
  expect(one.words).toEqual(["while it slept"]);
  expect(one.state.connection).toBe("back");
  expect(socketOf("🐶")).toBe(theirs);
  expect(socketOf("🦊")).not.toBe(mine);
  await clock.pass(2500);
  expect(one.state.connection).toBe("live");
});

test("after a long absence the room is loaded anew, without a gap, and waiting messages are sent", async () => {
  const { room, clock, one, two } = await people();
  room.resumes = 5;
  two.chat.send("before");
  await clock.pass(300);
  room.isUp = false;
  room.cut("🦊");
  one.chat.send("waiting");
  for (let at = 0; at < 300; at += 1) room.post("🐶", `long-${at}`, `missed ${at}`);
  room.isUp = true;
  await clock.pass(500);
  // More messages are sent while the page of the history is still on its way.
  for (let at = 0; at < 4; at += 1) {
    room.post("🐶", `late-${at}`, `late ${at}`);
    await clock.pass(17);
  }
  await clock.pass(3000);
  const shown = one.state.lines.map(({ seq }) => seq);
  expect(shown).toEqual(shown.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  expect(one.words.filter((words) => words === "waiting")).toHaveLength(1);
  expect(one.messageWith("waiting").delivery.state).toBe("sent");
  expect(one.words).not.toContain("before");
  expect(one.words.filter((words) => words.startsWith("late"))).toHaveLength(4);
  expect(one.state.hasOlder).toBe(true);
  await one.loadAll();
  expect(one.words).toEqual(inLog(room));
});

test("a page follows a server that was restored from an older copy, and stops asking", async () => {
  const { room, clock, one, two } = await people();
  for (const words of ["a", "b", "c"]) two.chat.send(words);
  await clock.pass(1000);
  room.goDown();
  room.log.splice(-2);
  room.seq -= 2;
  room.isUp = true;
  await clock.pass(3000);
  const pages = room.pages;
  two.chat.send("d");
  await clock.pass(3000);
  for (const person of [one, two]) expect(person.words).toEqual(["a", "d"]);
  expect(room.pages).toBe(pages);
});

test("a connection that is lost while the room is loaded anew doesn't have it loaded twice", async () => {
  const { room, clock, one, two } = await people();
  two.chat.stop();
  room.resumes = 5;
  room.cut();
  for (let at = 0; at < 300; at += 1) room.post("🐼", `id-${at}`, `m${at}`);
  room.answersIn = () => 4000;
  await clock.pass(1000);
  const pages = room.pages;
  room.cut("🦊");
  await clock.pass(20_000);
  // Two people load the room, with two calls each: first the room, then its seats.
  expect(room.pages).toBe(pages + 4);
  expectNoGap(one, room);
  expect(one.state.connection).toBe("live");
});

test("the closing code alone ends a visit, and after a refused socket the page asks for the reason", async () => {
  const { room, clock, one, two } = await people();
  for (const socket of room.sockets) if (socket.emoji === "🦊") socket.end(4403);
  expect(one.state.ended).toBe("kicked");
  room.barred.set("🐶", "kicked");
  room.cut("🐶");
  await clock.pass(2000);
  expect(two.state.ended).toBe("kicked");
});

test("a room without a connection expires by itself", async () => {
  const { room, clock, one } = await people();
  room.goDown();
  await clock.pass(3_590_000);
  expect(one.state.ended).toBeUndefined();
  await clock.pass(15_000);
  expect(one.state.ended).toBe("expired");
});

test("a stopped room has no socket and no timers left, whatever was going on", async () => {
  const { room, clock, all, one, two } = await people();
  one.chat.send("on its way");
  two.chat.typing();
  one.page?.woke();
  for (const person of all) person.chat.stop();
  room.cut();
  await clock.pass(200);
  expect([room.sockets.size, clock.timers, one.page]).toEqual([0, 0, undefined]);
});

test("a quiet room sends nothing, until the connection has to be checked", async () => {
  const { room, clock } = await people();
  const before = room.frames;
  await clock.pass(40_000);
  expect(room.frames).toBe(before);
  await clock.pass(10_000);
  expect(room.frames).toBe(before + 3);
});
