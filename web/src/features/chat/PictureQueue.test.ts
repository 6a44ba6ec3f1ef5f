import { expect, test, vi } from "vitest";
import { FakePerson } from "./fakePerson";
import { FakeRoom } from "./fakeRoom";
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

test("a text isn't held up by a picture before it", async () => {
  const { clock, one, two } = await room();
  one.chat.sendPicture(picture(), "slow");
  await clock.pass(10);
  one.chat.send("quick");
  await clock.pass(120);
  expect(two.words).toEqual(["quick"]);
  await clock.pass(1000);
  expect(two.words).toEqual(["quick", "slow"]);
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
    why: "Error Sending Image: This group holds no more pictures",
  });
  fake.cut();
  await clock.pass(3000);
  expect(one.said("offline").delivery.state).toBe("sent");
  expect(one.said("refused").delivery.state).toBe("failed");
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
