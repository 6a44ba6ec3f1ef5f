import { expect, test } from "vitest";
import { delivery, FakePerson, OUTBOX, PICTURE, people } from "../testing/fakePerson";
import { ROOM } from "../testing/fakeRoom";

/** `one` has uploaded a picture, but its message can't be sent. */
async function uploadedOnly(isBroken = false) {
  const all = await people();
  all.one.pictures.isBroken = isBroken;
  all.one.chat.sendPicture(PICTURE, "look");
  await all.clock.pass(100);
  all.room.goDown();
  await all.clock.pass(400);
  expect(all.one.uploads).toHaveLength(2);
  for (const image of [1, 2]) all.room.forgotten.add(`/api/room/${ROOM}/image/${image}`);
  return all;
}

test("also after a reload, and in a browser that keeps nothing", async () => {
  const { room, clock, one, two } = await uploadedOnly();
  const again = one.reloaded();
  await clock.pass(10);
  room.isUp = true;
  await clock.pass(25_000);
  expect(two.words).toEqual(["look"]);
  expect(again.uploads).toHaveLength(2);
  expect(again.pictures.kept.size).toBe(0);

  const other = await uploadedOnly(true);
  other.room.isUp = true;
  await other.clock.pass(25_000);
  expect(other.two.words).toEqual(["look"]);
});

test("a picture whose message is refused waits with its reason, and each time it is tried it is uploaded", async () => {
  const { room, clock, one, two } = await people();
  room.refuses.set("", "picture_of_other_group");
  one.chat.sendPicture(PICTURE, "look");
  await clock.pass(2000);
  const failed = { state: "failed", why: "That photo is not one of this group’s." };
  expect(delivery(one)).toEqual(failed);
  // The app tries it once more by itself, and not again and again.
  expect(one.uploads).toHaveLength(4);
  room.cut();
  await clock.pass(3000);
  expect(one.uploads).toHaveLength(4);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.messageWith("look")).toMatchObject({
    delivery: failed,
    picture: { full: expect.stringMatching(/^blob:/) },
  });
  room.refuses.clear();
  again.chat.retry(again.messageWith("look"));
  await clock.pass(1000);
  expect(two.words).toEqual(["look"]);
  expect(again.words).toEqual(["look"]);
  expect(again.uploads).toHaveLength(2);
  expect(again.pictures.kept.size).toBe(0);
});

test("a dismissed picture doesn't come back, and neither does one of a room that ended", async () => {
  const { room, clock, one, two } = await people();
  one.chat.sendPicture(PICTURE, "a");
  await clock.pass(100);
  one.chat.dismiss(one.messageWith("a"));
  await clock.pass(10);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.messages).toEqual([]);
  again.chat.sendPicture(PICTURE, "b");
  await clock.pass(100);
  expect(again.pictures.kept.size).toBe(1);
  again.chat.sendPicture(PICTURE, "shrunk when it is over");
  room.close("🦊", "removed_from_group", 4403);
  await clock.pass(1000);
  expect(again.state.ended).toBe("kicked");
  expect(again.pictures.kept.size).toBe(0);
  expect(two.messages).toEqual([]);
});

test("a picture that is known to be sent isn't sent again", async () => {
  const { room, clock, one } = await people();
  one.chat.sendPicture(PICTURE, "look");
  await clock.pass(100);
  const [kept] = one.pictures.kept.values();
  await clock.pass(1000);
  // As if the page was closed after the message was sent, and before the picture was removed from the device.
  if (kept) one.pictures.kept.set(kept.id, kept);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.uploads).toEqual([]);
  expect(again.words).toEqual(["look"]);
  expect(room.messages).toHaveLength(1);
  expect(again.pictures.kept.size).toBe(0);
});

test("two tabs that take up the same picture send it once; what one gives up, the other doesn't send", async () => {
  const { room, clock, one, two } = await people();
  const other = () => new FakePerson(room, "🦊", one.storage, one.pictures);
  one.chat.sendPicture(PICTURE, "once");
  await clock.pass(100);
  const second = other();
  await clock.pass(2000);
  expect(room.messages).toHaveLength(1);
  for (const person of [one, second, two]) {
    expect(person.words).toEqual(["once"]);
    expect(person.messages[0]?.delivery).toEqual({ state: "sent" });
  }
  one.chat.sendPicture(PICTURE, "never mind");
  await clock.pass(50);
  const third = other();
  await clock.pass(10);
  third.chat.dismiss(third.messageWith("never mind"));
  await clock.pass(2000);
  for (const person of [one, second, third, two]) expect(person.words).toEqual(["once"]);
});

test("a tab that comes back while another uploads a picture anew leaves it to that one", async () => {
  const { room, clock, one, two } = await uploadedOnly();
  const second = new FakePerson(room, "🦊", one.storage, one.pictures);
  // Both tabs wait long for their next attempt. Then the first one is viewed.
  await clock.pass(20_000);
  expect(second.words).toEqual(["look"]);
  room.isUp = true;
  one.page?.woke();
  while (one.uploads.length < 3) await clock.pass(5);
  expect(second.state.connection).toBe("connecting");
  second.page?.woke();
  await clock.pass(150);
  expect(second.state.connection).toBe("live");
  expect(delivery(one)).toMatchObject({ state: "uploading" });
  await clock.pass(25_000);
  for (const person of [one, second, two]) expect(person.words).toEqual(["look"]);
  expect(one.pictures.kept.size).toBe(0);
});

test("a tab that is left takes nothing from another that has uploaded the same picture", async () => {
  const { room, clock, one, two } = await people();
  one.uploadFails = () => 0;
  one.chat.sendPicture(PICTURE, "look");
  await clock.pass(100);
  const second = new FakePerson(room, "🦊", one.storage, one.pictures);
  while (!one.storage.kept.has(OUTBOX)) await clock.pass(1);
  expect(delivery(second)).toEqual({ state: "sending" });
  expect(delivery(one)).not.toEqual({ state: "sending" });
  one.chat.stop();
  expect(one.storage.kept.has(OUTBOX)).toBe(true);
  await clock.pass(2000);
  expect(two.words).toEqual(["look"]);
  expect(one.storage.kept.has(OUTBOX)).toBe(false);
});
