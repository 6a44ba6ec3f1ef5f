import { expect, test } from "vitest";
import { FakePerson, inLog, OUTBOX, people } from "../testing/fakePerson";

test("many in a row keep their order and the pace, also when the server finds them too fast", async () => {
  const { room, clock, one } = await people();
  const words = Array.from({ length: 30 }, (_, at) => `m${at}`);
  room.allowance = 2;
  for (const word of words) one.chat.send(word);
  await clock.pass(800);
  expect(inLog(room)).toEqual(["m0", "m1"]);
  expect(one.messageWith("m2").delivery.state).toBe("sending");
  room.allowance = 100;
  await clock.pass(10_000);
  expect(inLog(room)).toEqual(words);
  expect(one.errors).toEqual([]);
  for (const from of room.posts)
    expect(room.posts.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(9);
});

test("another refusal is shown, doesn't hold up the rest, and is retried by a tap or a reconnect", async () => {
  const { room, clock, one } = await people();
  room.refuses.set("bad", "message_empty");
  one.chat.send("bad");
  one.chat.send("good");
  await clock.pass(1000);
  expect(one.messageWith("bad").delivery).toEqual({
    state: "failed",
    why: "There is nothing in that message.",
  });
  expect(inLog(room)).toEqual(["good"]);
  one.chat.retry(one.messageWith("bad"));
  expect(one.messageWith("bad").delivery.state).toBe("sending");
  await clock.pass(500);
  expect(one.messageWith("bad").delivery.state).toBe("failed");
  room.refuses.clear();
  room.cut();
  await clock.pass(3000);
  expect(one.messageWith("bad").delivery.state).toBe("sent");
  expect(inLog(room)).toEqual(["good", "bad"]);
});

test("a message whose echo was lost to a reload isn't shown twice", async () => {
  const { room, clock, one } = await people();
  one.chat.send("once");
  while (room.messages.length === 0) await clock.pass(1);
  expect(one.messageWith("once").delivery.state).toBe("sending");
  const again = one.reloaded();
  expect(again.words).toEqual(["once"]);
  expect(again.messageWith("once").delivery.state).toBe("sent");
  expect(again.storage.kept.has(OUTBOX)).toBe(false);
});

test("two tabs of one seat show everything once and send it once", async () => {
  const { room, clock, one } = await people();
  room.goDown();
  one.chat.send("written offline");
  const other = new FakePerson(room, "🦊", one.storage);
  expect(other.words).toEqual(["written offline"]);
  room.isUp = true;
  await clock.pass(25_000);
  other.chat.send("from the other tab");
  await clock.pass(500);
  for (const tab of [one, other]) expect(tab.words).toEqual(["written offline", "from the other tab"]);
  expect(inLog(room)).toEqual(["written offline", "from the other tab"]);
});

test("a dismissed message is gone from screen and storage, and another tab doesn't send it either", async () => {
  const { room, clock, one } = await people();
  room.goDown();
  one.chat.send("never mind");
  const other = new FakePerson(room, "🦊", one.storage);
  one.chat.dismiss(one.messageWith("never mind"));
  expect(one.messages).toEqual([]);
  expect(one.storage.kept.has(OUTBOX)).toBe(false);
  room.isUp = true;
  await clock.pass(25_000);
  expect(inLog(room)).toEqual([]);
  expect(other.messages).toEqual([]);
});

test("a reply on its way loses its quote if the quoted message was taken back while the page was closed", async () => {
  const { room, clock, one, two } = await people();
  two.chat.send("I didn't mean that");
  await clock.pass(300);
  const message = one.messageWith("I didn't mean that");
  room.goDown();
  one.chat.send("What?", message);
  one.chat.stop();
  room.retract("🐶", message.id);
  expect(one.reloaded().messageWith("What?").reply).toMatchObject({ words: "", picture: "" });
});

test("after a second `event.ready`, unanswered messages are sent again before the others", async () => {
  const { room, clock, one } = await people();
  const sockets = [...room.sockets].filter(({ emoji }) => emoji === "🦊");
  for (const socket of sockets) socket.isDead = true;
  one.chat.send("first");
  one.chat.send("second");
  await clock.pass(100);
  for (const socket of sockets) {
    socket.isDead = false;
    socket.deliver({ event: "event.ready", last_seq: room.seq, resumed: true });
  }
  await clock.pass(1000);
  expect(inLog(room)).toEqual(["first", "second"]);
  expect(one.messageWith("first").delivery.state).toBe("sent");
});
