import { expect, test, vi } from "vitest";
import { shownPictures } from "../history/shownPictures";
import { delivery, PICTURE, people } from "../testing/fakePerson";

test("a picture is shown while it is uploaded, then sent, and its success is shown for a while", async () => {
  const { clock, one, two } = await people();
  one.chat.sendPicture(PICTURE, " look ");
  await clock.pass(100);
  expect(one.messages[0]).toMatchObject({ words: "look", picture: { width: 40, height: 30, tiny: null } });
  const preview = one.messages[0]?.picture?.full;
  expect(preview).toMatch(/^blob:/);
  expect(delivery(one)).toEqual({ state: "uploading", percent: 50 });
  await clock.pass(400);
  expect(delivery(one)).toEqual({ state: "sent" });
  expect(two.messages[0]).toMatchObject({ words: "look", picture: { width: 40, height: 30 } });
  // The page shows the chosen file itself, under the address that the picture has for everybody.
  const { full = "" } = two.messages[0]?.picture ?? {};
  expect(full).toMatch(/\/image\/\d$/);
  expect(one.messages[0]?.picture?.full).toBe(full);
  expect(shownPictures.now(full)).toBe(preview);
  expect(one.messages[0]?.uploaded).toBeUndefined();
  await clock.pass(1000);
  expect(one.messages[0]?.uploaded).toBe(true);
  await clock.pass(4000);
  expect(one.messages[0]?.uploaded).toBeUndefined();
});

test("several keep their order, also through a reload, and only one is uploaded at a time", async () => {
  const { clock, one, two } = await people();
  const all = ["a", "words", "b", "c"];
  one.chat.sendPicture(PICTURE, "a");
  one.chat.send("words");
  for (const caption of ["b", "c"]) one.chat.sendPicture(PICTURE, caption);
  await clock.pass(50);
  expect(one.words).toEqual(all);
  expect(one.uploads).toHaveLength(2);
  const again = one.reloaded();
  await clock.pass(50);
  expect(again.words).toEqual(all);
  await clock.pass(3000);
  expect(again.uploads).toHaveLength(6);
  expect(two.words).toEqual(all);
});

test("a file that is no picture causes an error, and the next picture is sent", async () => {
  const { clock, one, two } = await people();
  one.chat.sendPicture(new Blob(["x"], { type: "text/plain" }), "no");
  one.chat.sendPicture(PICTURE, "yes");
  await clock.pass(1000);
  expect(one.errors).toEqual(["Error compressing image"]);
  expect(one.words).toEqual(["yes"]);
  expect(two.words).toEqual(["yes"]);
});

test("after a failure only what is missing is uploaded again", async () => {
  const { clock, one, two } = await people();
  one.uploadFails = (count) => (count === 1 ? 0 : undefined);
  one.chat.sendPicture(PICTURE, "look");
  await clock.pass(500);
  expect(delivery(one)).toEqual({ state: "failed", why: "Error Sending Image" });
  expect(one.errors).toEqual(["Failed to send image"]);
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

test("after a lost network the upload is tried again on reconnect, after a refusal only when asked", async () => {
  const { room, clock, one } = await people();
  one.uploadFails = (count) => (count <= 2 ? 0 : count <= 4 ? 409 : undefined);
  one.chat.sendPicture(PICTURE, "offline");
  one.chat.sendPicture(PICTURE, "refused");
  await clock.pass(1000);
  const refused = { state: "failed", why: "Error Sending Image: This group can’t hold any more photos" };
  expect(delivery(one, 1)).toEqual(refused);
  room.cut();
  await clock.pass(3000);
  expect(one.messageWith("offline").delivery.state).toBe("sent");
  const again = one.reloaded();
  await clock.pass(1000);
  expect(again.messageWith("refused").delivery).toEqual(refused);
  expect(again.uploads).toEqual([]);
});

test("an upload that ends with the connection goes on with it, and isn't shown as failed", async () => {
  const { room, clock, one, two } = await people();
  one.uploadFails = (count) => (count <= 2 ? 0 : undefined);
  one.chat.sendPicture(PICTURE, "look");
  await clock.pass(50);
  room.goDown();
  await clock.pass(400);
  expect(delivery(one)).toEqual({ state: "waiting" });
  room.isUp = true;
  await clock.pass(25_000);
  expect(two.words).toEqual(["look"]);
  expect(one.errors).toEqual([]);
});

test("previews of own pictures are freed after they were sent or dismissed, or when the room is left", async () => {
  const [made, revoked] = [vi.spyOn(URL, "createObjectURL"), vi.spyOn(URL, "revokeObjectURL")];
  const { clock, one } = await people();
  for (const words of ["sent", "given up", "left"]) one.chat.sendPicture(PICTURE, words);
  await clock.pass(100);
  one.chat.dismiss(one.messageWith("given up"));
  await clock.pass(350);
  expect(one.messageWith("sent").delivery.state).toBe("sent");
  one.chat.stop();
  const shown = made.mock.results.map(({ value }) => value);
  expect(shown.length).toBeGreaterThanOrEqual(4);
  expect(revoked.mock.calls.flat()).toEqual(expect.arrayContaining(shown));
});
