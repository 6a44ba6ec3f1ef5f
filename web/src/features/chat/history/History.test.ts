import { expect, test } from "vitest";
import { expectNoGap, FakePerson, inLog } from "../testing/fakePerson";
import { FakeRoom } from "../testing/fakeRoom";

test("older pages come one at a time, and a quoted line is reached", async () => {
  const room = new FakeRoom();
  room.seat("🦊");
  for (let at = 0; at < 900; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  const one = new FakePerson(room, "🦊");
  await room.clock.pass(300);
  expect(one.state.lines).toHaveLength(200);
  const before = room.pages;
  const both = Promise.all([one.chat.loadOlder(), one.chat.loadOlder()]);
  expect(one.state.loadingOlder).toBe(true);
  await room.clock.pass(100);
  await both;
  expect(room.pages).toBe(before + 1);
  expect(one.state.lines).toHaveLength(400);
  const reached = one.chat.reach(3);
  await room.clock.pass(500);
  expect(await reached).toBe(true);
  expect(one.words).toEqual(inLog(room));
  expect(one.state.hasOlder).toBe(true);
  const first = one.chat.reach(1);
  await room.clock.pass(500);
  expect(await first).toBe(true);
  expect(one.state.hasOlder).toBe(false);
  expect(await one.chat.reach(99_999)).toBe(false);
});

test("the beginning is where the server says, and asked for no further", async () => {
  const room = new FakeRoom();
  room.seat("🦊");
  for (let at = 0; at < 500; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  // The oldest are no longer kept.
  room.log.splice(0, 301);
  const one = new FakePerson(room, "🦊");
  await room.clock.pass(300);
  expect(one.state.lines).toHaveLength(200);
  expect(one.state.hasOlder).toBe(false);
  const before = room.pages;
  await one.chat.loadOlder();
  expect(room.pages).toBe(before);
});

test("an older page that comes after the room was loaded anew is left out", async () => {
  const room = new FakeRoom();
  room.seat("🦊");
  for (let at = 0; at < 500; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  const one = new FakePerson(room, "🦊");
  await room.clock.pass(300);
  room.answersIn = () => 5000;
  const loaded = one.chat.loadOlder();
  room.answersIn = () => 30;
  room.resumes = 5;
  room.cut();
  for (let at = 500; at < 1000; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  await room.clock.pass(6000);
  await loaded;
  expectNoGap(one, room);
  expect(one.words.at(-1)).toBe("m999");
  expect(one.state.loadingOlder).toBe(false);
});
