import { expect, test, vi } from "vitest";
import type { Message } from "../model/chat";
import { FakePerson } from "../testing/fakePerson";
import { FakeRoom, ROOM } from "../testing/fakeRoom";
import { Previews } from "./Previews";

const picture = () => new Blob(["p".repeat(100)], { type: "image/jpeg" });

async function room() {
  const fake = new FakeRoom();
  for (const face of ["🦊", "🐶"]) fake.seat(face);
  const [one, two] = [new FakePerson(fake, "🦊"), new FakePerson(fake, "🐶")];
  await fake.clock.pass(300);
  return { fake, clock: fake.clock, one, two };
}

const delivery = (person: FakePerson, at = 0) => person.messages[at]?.delivery;

test("a picture is shown while it is uploaded, then sent, and its success said for a while", async () => {
  const { clock, one, two } = await room();
  one.chat.sendPicture(picture(), " look ");
  await clock.pass(100);
  expect(one.messages[0]).toMatchObject({ words: "look", picture: { width: 40, height: 30, tiny: null } });
  expect(one.messages[0]?.picture?.full).toMatch(/^blob:/);
  expect(delivery(one)).toEqual({ state: "uploading", percent: 50 });
  await clock.pass(400);
  expect(delivery(one)).toEqual({ state: "sent" });
  expect(two.messages[0]).toMatchObject({ words: "look", picture: { width: 40, height: 30 } });
  expect(two.messages[0]?.picture?.full).toMatch(/\/image\/\d$/);
  expect(one.messages[0]?.picture?.full).toMatch(/^blob:/);
  expect(one.messages[0]?.uploaded).toBeUndefined();
  await clock.pass(1000);
  expect(one.messages[0]?.uploaded).toBe(true);
  await clock.pass(4000);
  expect(one.messages[0]?.uploaded).toBeUndefined();
});

test("several keep their order, and only one is uploaded at a time", async () => {
  const { clock, one, two } = await room();
  for (const caption of ["a", "b", "c"]) one.chat.sendPicture(picture(), caption);
  await clock.pass(50);
  expect(one.words).toEqual(["a", "b", "c"]);
  expect(one.uploads).toHaveLength(2);
  await clock.pass(3000);
  expect(one.uploads).toHaveLength(6);
  expect(two.words).toEqual(["a", "b", "c"]);
});

test("what is written after a picture arrives after it, also when another picture comes later", async () => {
  const { clock, one, two } = await room();
  one.chat.send("before");
  one.chat.sendPicture(picture(), "slow");
  one.chat.send("quick");
  one.chat.sendPicture(picture(), "slower");
  one.chat.send("last");
  await clock.pass(120);
  expect(one.words).toEqual(["before", "slow", "quick", "slower", "last"]);
  expect(two.words).toEqual(["before"]);
  await clock.pass(3000);
  expect(two.words).toEqual(["before", "slow", "quick", "slower", "last"]);
  expect(one.words).toEqual(two.words);
});

test("a picture that fails or is given up holds up nothing, and comes where it is sent again", async () => {
  const { clock, one, two } = await room();
  one.uploadFails = () => 507;
  one.chat.sendPicture(picture(), "refused");
  one.chat.send("after");
  await clock.pass(1000);
  expect(delivery(one, 1)).toMatchObject({ state: "failed" });
  expect(two.words).toEqual(["after"]);
  one.uploadFails = () => undefined;
  one.chat.retry(one.messages[1] as Message);
  one.chat.send("and more");
  await clock.pass(1000);
  expect(two.words).toEqual(["after", "refused", "and more"]);

  one.chat.sendPicture(picture(), "given up");
  one.chat.send("at last");
  await clock.pass(100);
  one.chat.dismiss(one.messages.find(({ words }) => words === "given up") as Message);
  await clock.pass(500);
  expect(two.words.at(-1)).toBe("at last");
});

test("their order lives through a reload, and the database's silence holds up nothing for long", async () => {
  const { fake, clock, one, two } = await room();
  one.chat.sendPicture(picture(), "first");
  one.chat.send("second");
  await clock.pass(50);
  const again = one.reloaded();
  await clock.pass(50);
  expect(again.words).toEqual(["first", "second"]);
  await clock.pass(2000);
  expect(two.words).toEqual(["first", "second"]);

  const silent = again.pictures;
  vi.spyOn(silent, "all").mockReturnValue(new Promise(() => {}));
  const third = new FakePerson(fake, "🦊", again.storage, silent);
  third.chat.send("third");
  await clock.pass(2000);
  expect(two.words).not.toContain("third");
  await clock.pass(3000);
  expect(two.words).toContain("third");
});

test("a file that is no picture is told of, and the next one comes through", async () => {
  const { clock, one, two } = await room();
  one.chat.sendPicture(new Blob(["x"], { type: "text/plain" }), "no");
  one.chat.sendPicture(picture(), "yes");
  await clock.pass(1000);
  expect(one.complaints).toEqual(["Error compressing image"]);
  expect(one.words).toEqual(["yes"]);
  expect(two.words).toEqual(["yes"]);
});

test("after a failure only what is missing is uploaded again", async () => {
  const { clock, one, two } = await room();
  one.uploadFails = (count) => (count === 1 ? 0 : undefined);
  one.chat.sendPicture(picture(), "look");
  await clock.pass(500);
  expect(delivery(one)).toEqual({ state: "failed", why: "Error Sending Image" });
  expect(one.complaints).toEqual(["Failed to send image"]);
  expect(one.uploads).toHaveLength(2);
  const [failed] = one.messages;
  if (failed) one.chat.retry(failed);
  expect(delivery(one)?.state).toBe("uploading");
  await clock.pass(1000);
  expect(one.uploads).toHaveLength(3);
  expect(two.messages[0]?.picture).toMatchObject({
    full: expect.stringMatching(/3$/),
    tiny: expect.stringMatching(/2$/),
  });
});

test("what failed for the network is tried again on reconnect, what was refused only when asked", async () => {
  const { fake, clock, one } = await room();
  one.uploadFails = (count) => (count <= 2 ? 0 : count <= 4 ? 409 : undefined);
  one.chat.sendPicture(picture(), "offline");
  one.chat.sendPicture(picture(), "refused");
  await clock.pass(1000);
  expect(delivery(one, 1)).toEqual({
    state: "failed",
    why: "Error Sending Image: This group can't hold any more pictures",
  });
  fake.cut();
  await clock.pass(3000);
  expect(one.said("offline").delivery.state).toBe("sent");
  expect(one.said("refused").delivery.state).toBe("failed");
});

test("pictures that are chosen without a network wait for it, also when the socket survives", async () => {
  const { clock, one, two } = await room();
  one.isOnline = false;
  for (const listener of one.page) listener.offline();
  one.chat.sendPicture(picture(), "a");
  one.chat.sendPicture(picture(), "b");
  await clock.pass(1000);
  expect([delivery(one, 0), delivery(one, 1)]).toEqual([{ state: "waiting" }, { state: "waiting" }]);
  expect(one.uploads).toEqual([]);
  one.isOnline = true;
  for (const listener of one.page) listener.woke();
  expect(delivery(one)?.state).toBe("uploading");
  await clock.pass(2000);
  expect(two.words).toEqual(["a", "b"]);
  expect(one.complaints).toEqual([]);
});

test("an upload that breaks off with the connection goes on with it, and nothing is said to have failed", async () => {
  const { fake, clock, one, two } = await room();
  one.uploadFails = (count) => (count <= 2 ? 0 : undefined);
  one.chat.sendPicture(picture(), "look");
  await clock.pass(50);
  fake.isUp = false;
  fake.cut();
  await clock.pass(400);
  expect(delivery(one)).toEqual({ state: "waiting" });
  fake.isUp = true;
  await clock.pass(25_000);
  expect(two.words).toEqual(["look"]);
  expect(one.complaints).toEqual([]);
});

test("a failed picture can be given up, and one on its way called back", async () => {
  const { fake, clock, one } = await room();
  one.uploadFails = (count) => (count <= 2 ? 0 : undefined);
  one.chat.sendPicture(picture(), "a");
  await clock.pass(500);
  one.chat.dismiss(one.said("a"));
  one.chat.sendPicture(picture(), "b");
  await clock.pass(100);
  one.chat.dismiss(one.said("b"));
  await clock.pass(2000);
  expect(one.messages).toEqual([]);
  expect(fake.messages).toEqual([]);
});

test("an uploaded picture whose message didn't get out is sent after a reload", async () => {
  const { fake, clock, one, two } = await room();
  one.chat.sendPicture(picture(), "look");
  await clock.pass(100);
  fake.isUp = false;
  fake.cut();
  await clock.pass(400);
  expect(one.said("look").delivery.state).toBe("sending");
  const again = one.reloaded();
  expect(again.said("look").picture?.full).toMatch(/\/image\/1$/);
  fake.isUp = true;
  await clock.pass(25_000);
  expect(two.words).toEqual(["look"]);
});

/** A picture of `one`'s that is uploaded while its message can't get out. */
async function uploadedOnly(isBroken = false) {
  const all = await room();
  all.one.pictures.isBroken = isBroken;
  all.one.chat.sendPicture(picture(), "look");
  await all.clock.pass(100);
  all.fake.isUp = false;
  all.fake.cut();
  await all.clock.pass(400);
  expect(all.one.uploads).toHaveLength(2);
  for (const image of [1, 2]) all.fake.forgotten.add(`/api/room/${ROOM}/image/${image}`);
  return all;
}

test("a picture that the server kept for too short a time is uploaded anew, by itself", async () => {
  const { fake, clock, one, two } = await uploadedOnly();
  expect(one.pictures.kept.size).toBe(1);
  fake.isUp = true;
  await clock.pass(25_000);
  expect(two.messages[0]).toMatchObject({ words: "look", picture: { full: expect.stringMatching(/3$/) } });
  expect(one.messages).toHaveLength(1);
  expect(delivery(one)).toEqual({ state: "sent" });
  expect(one.complaints).toEqual([]);
  expect(one.pictures.kept.size).toBe(0);
});

test("also after a reload, and in a browser that keeps nothing", async () => {
  const { fake, clock, one, two } = await uploadedOnly();
  const again = one.reloaded();
  await clock.pass(10);
  fake.isUp = true;
  await clock.pass(25_000);
  expect(two.words).toEqual(["look"]);
  expect(again.uploads).toHaveLength(2);
  expect(again.pictures.kept.size).toBe(0);

  const other = await uploadedOnly(true);
  other.fake.isUp = true;
  await other.clock.pass(25_000);
  expect(other.two.words).toEqual(["look"]);
});

test("a picture whose message is refused waits with its reason, and each time it is tried it is uploaded", async () => {
  const { fake, clock, one, two } = await room();
  fake.refuses.set("", "picture_of_other_group");
  one.chat.sendPicture(picture(), "look");
  await clock.pass(2000);
  const failed = { state: "failed", why: "That picture is not one of this group's." };
  expect(delivery(one)).toEqual(failed);
  // By itself it is tried once more, not for ever.
  expect(one.uploads).toHaveLength(4);
  fake.cut();
  await clock.pass(3000);
  expect(one.uploads).toHaveLength(4);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.said("look")).toMatchObject({
    delivery: failed,
    picture: { full: expect.stringMatching(/^blob:/) },
  });
  fake.refuses.clear();
  again.chat.retry(again.said("look"));
  await clock.pass(1000);
  expect(two.words).toEqual(["look"]);
  expect(again.words).toEqual(["look"]);
  expect(again.uploads).toHaveLength(2);
  expect(again.pictures.kept.size).toBe(0);
});

test("pictures that were still uploading are taken up after a reload, in their order, and sent once", async () => {
  const { fake, clock, one, two } = await room();
  two.chat.send("question");
  await clock.pass(300);
  one.uploadFails = () => 0;
  one.chat.sendPicture(picture(), "first", one.said("question"));
  one.chat.sendPicture(picture(), "second");
  await clock.pass(100);
  expect(one.pictures.kept.size).toBe(2);
  const ids = one.messages.slice(1).map(({ id }) => id);
  const again = one.reloaded();
  await clock.pass(10);
  expect(again.said("first").delivery).toEqual({ state: "waiting" });
  await clock.pass(140);
  expect(again.words).toEqual(["question", "first", "second"]);
  expect(again.said("first")).toMatchObject({
    id: ids[0],
    picture: { width: 40, height: 30 },
    reply: { words: "question" },
    delivery: { state: "uploading" },
  });
  await clock.pass(3000);
  expect(two.words).toEqual(["question", "first", "second"]);
  expect(fake.messages.slice(1).map(({ id }) => id)).toEqual(ids);
  expect(again.pictures.kept.size).toBe(0);
  const third = again.reloaded();
  await clock.pass(3000);
  expect(third.words).toEqual(["question", "first", "second"]);
  expect(third.uploads).toEqual([]);
});

test("a refused picture comes back with its reason, and is sent when it is tried again", async () => {
  const { clock, one, two } = await room();
  one.uploadFails = () => 409;
  one.chat.sendPicture(picture(), "look");
  await clock.pass(500);
  const again = one.reloaded();
  await clock.pass(1000);
  const failed = again.said("look");
  expect(failed.delivery).toEqual({
    state: "failed",
    why: "Error Sending Image: This group can't hold any more pictures",
  });
  expect(again.uploads).toEqual([]);
  again.chat.retry(failed);
  await clock.pass(1000);
  expect(two.words).toEqual(["look"]);
  expect(again.pictures.kept.size).toBe(0);
});

test("what is given up doesn't come back, and neither does what was in a room that ended", async () => {
  const { fake, clock, one, two } = await room();
  one.chat.sendPicture(picture(), "a");
  await clock.pass(100);
  one.chat.dismiss(one.said("a"));
  await clock.pass(10);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.messages).toEqual([]);
  again.chat.sendPicture(picture(), "b");
  await clock.pass(100);
  expect(again.pictures.kept.size).toBe(1);
  again.chat.sendPicture(picture(), "shrunk when it is over");
  fake.close("🦊", "removed_from_group", 4403);
  await clock.pass(1000);
  expect(again.state.ended).toBe("kicked");
  expect(again.pictures.kept.size).toBe(0);
  expect(two.messages).toEqual([]);
});

test("a picture that is known to be sent isn't taken up", async () => {
  const { fake, clock, one } = await room();
  one.chat.sendPicture(picture(), "look");
  await clock.pass(100);
  const [kept] = one.pictures.kept.values();
  await clock.pass(1000);
  // The page was closed between the two.
  if (kept) one.pictures.kept.set(kept.id, kept);
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.uploads).toEqual([]);
  expect(again.words).toEqual(["look"]);
  expect(fake.messages).toHaveLength(1);
  expect(again.pictures.kept.size).toBe(0);
});

test("two tabs that take up the same picture send it once; what one gives up, the other doesn't send", async () => {
  const { fake, clock, one, two } = await room();
  const other = () => new FakePerson(fake, "🦊", one.storage, one.pictures);
  one.chat.sendPicture(picture(), "once");
  await clock.pass(100);
  const second = other();
  await clock.pass(2000);
  expect(fake.messages).toHaveLength(1);
  for (const person of [one, second, two]) {
    expect(person.words).toEqual(["once"]);
    expect(person.messages[0]?.delivery).toEqual({ state: "sent" });
  }
  one.chat.sendPicture(picture(), "never mind");
  await clock.pass(50);
  const third = other();
  await clock.pass(10);
  third.chat.dismiss(third.said("never mind"));
  await clock.pass(2000);
  for (const person of [one, second, third, two]) expect(person.words).toEqual(["once"]);
});

test("a browser that keeps nothing keeps nobody from sending", async () => {
  const { clock, one, two } = await room();
  one.pictures.isBroken = true;
  one.chat.sendPicture(picture(), "look");
  await clock.pass(1000);
  expect(two.words).toEqual(["look"]);
  expect(one.complaints).toEqual([]);
});

test("a page that is left and looked at again goes on with its pictures", async () => {
  const { clock, one, two } = await room();
  one.chat.sendPicture(picture(), "look");
  await clock.pass(100);
  const before = one.messages[0]?.picture?.full;
  one.chat.stop();
  one.chat.start();
  await clock.pass(10);
  expect(one.messages[0]?.picture?.full).not.toBe(before);
  await clock.pass(1000);
  expect(two.words).toEqual(["look"]);
});

test("a caption has a hundred characters", async () => {
  const { clock, one } = await room();
  one.chat.sendPicture(picture(), "x".repeat(101));
  await clock.pass(500);
  expect(one.complaints).toEqual(["Please shorten the caption to 100 characters"]);
  expect(one.messages).toEqual([]);
});

test("leaving the page lets go of the previews and shows the server's pictures", async () => {
  const { clock, one } = await room();
  one.chat.sendPicture(picture(), "look");
  await clock.pass(1000);
  const revoke = vi.spyOn(URL, "revokeObjectURL");
  one.chat.stop();
  expect(revoke).toHaveBeenCalledOnce();
  expect(one.messages[0]?.picture?.full).toMatch(/\/image\/1$/);
});

test("previews are bounded: the oldest that the server has go first", () => {
  const revoked: string[] = [];
  let count = 0;
  const previews = new Previews(
    () => `blob:${count++}`,
    (address) => revoked.push(address),
  );
  previews.of("waiting", picture());
  const over = Array.from({ length: 42 }, (_, at) => {
    previews.of(`id-${at}`, picture());
    previews.settled(`id-${at}`);
    return previews.settled(`id-${at}`);
  });
  expect(over.flat()).toEqual([]);
  expect(revoked).toEqual(["blob:1", "blob:2"]);
  expect(previews.dropAll()).toHaveLength(41);
});
