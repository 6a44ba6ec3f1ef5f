import { expect, test } from "vitest";
import { expectNoGap, FakePerson, inLog } from "../testing/fakePerson";
import { FakeRoom } from "../testing/fakeRoom";

/** Somebody who has just entered a room with `count` messages. */
async function newcomer(count: number) {
  const room = new FakeRoom();
  room.seat("🦊");
  for (let at = 0; at < count; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  const one = new FakePerson(room, "🦊");
  await room.clock.pass(300);
  expect(one.state.lines).toHaveLength(200);
  return { room, one };
}

test("older pages come one at a time, and a quoted line is reached", async () => {
  const { room, one } = await newcomer(900);
  const before = room.pages;
  const both = Promise.all([one.chat.loadOlder(), one.chat.loadOlder()]);
  expect(one.state.loadingOlder).toBe(true);
  await room.clock.pass(100, both);
  expect(room.pages).toBe(before + 1);
  expect(one.state.lines).toHaveLength(400);
  expect(await room.clock.pass(500, one.chat.reach(3))).toBe(true);
  expect(one.words).toEqual(inLog(room));
  expect(one.state.hasOlder).toBe(true);
  expect(await room.clock.pass(500, one.chat.reach(1))).toBe(true);
  expect(one.state.hasOlder).toBe(false);
  expect(await one.chat.reach(99_999)).toBe(false);
  const pages = room.pages;
  await one.chat.loadOlder();
  expect(room.pages, "nothing is before the beginning").toBe(pages);
});

test("an older page that comes after the room was loaded anew is left out", async () => {
  const { room, one } = await newcomer(500);
  room.answersIn = () => 5000;
  const loaded = one.chat.loadOlder();
  room.answersIn = () => 30;
  room.resumes = 5;
  room.cut();
  for (let at = 500; at < 1000; at += 1) room.post("🐶", `id-${at}`, `m${at}`);
  await room.clock.pass(6000, loaded);
  expectNoGap(one, room);
  expect(one.words.at(-1)).toBe("m999");
  expect(one.state.loadingOlder).toBe(false);
});
