import { expect, test } from "vitest";
import { decoded, encoded } from "@/shared/base64url";
import { type Bytes, padded, paddedTo, parts, unpadded, utf8 } from "@/shared/sealing/bytes";
import { open, seal } from "@/shared/sealing/seal";
import { announced, hashOf, isSigned, newSigner, openBody, sealBody } from "./body";
import { keysOf, newKey } from "./keys";
import { openName, sealName } from "./name";
import { sealPicture } from "./picture";
import vectors from "./vectors.json";

const bytes = (text: string): Bytes => decoded(text) ?? new Uint8Array();
const keys = await keysOf(vectors.link);
if (!keys) throw new Error("the vectors have a key");

test("the keys of a link are what another implementation derives", async () => {
  expect(keys.check).toBe(vectors.check);
  for (const use of ["text", "picture", "name", "device"] as const) {
    const raw = await crypto.subtle.importKey("raw", bytes(vectors.keys[use]), "AES-GCM", true, ["encrypt"]);
    const [ours, theirs] = await Promise.all(
      [keys[use], raw].map((key) =>
        seal(key, parts(use), padded(utf8(use)), (length) => new Uint8Array(length)),
      ),
    );
    expect(ours).toEqual(theirs);
  }
});

test.each(["", vectors.link.slice(1), `${vectors.link}AA`, "no key!", vectors.link.slice(0, 20)])(
  "%j is no key",
  async (link) => expect(await keysOf(link)).toBeUndefined(),
);

test("every new key is another, and is one", async () => {
  const all = Array.from({ length: 20 }, newKey);
  expect(new Set(all).size).toBe(20);
  for (const key of all) expect(await keysOf(key)).toBeDefined();
});

test("a name is sealed as it should be, and opens with its own key only", async () => {
  const { nonce, name, sealed } = vectors.name;
  expect(await sealName(keys, name, () => bytes(nonce))).toBe(sealed);
  expect(await openName(keys, sealed)).toBe(name);
  const other = await keysOf(newKey());
  expect(other && (await openName(other, sealed))).toBeUndefined();
  expect(await openName(keys, "")).toBeUndefined();
});

test("what is kept on the device is sealed as it should be", async () => {
  const { nonce, place, value, sealed } = vectors.device;
  const made = await seal(keys.device, parts("annon device 1", place), utf8(value), () => bytes(nonce));
  expect(encoded(made)).toBe(sealed);
});

test("a picture is sealed as it should be, and its padding comes off", async () => {
  const { nonce, room, id, jpeg, sealed } = vectors.picture;
  const file = new Uint8Array(jpeg.bytes).map((_, at) => (at < 4 ? 0 : at - 4));
  file.set(bytes(jpeg.head));
  const made = await sealPicture(keys, { room, id }, new Blob([file]), () => bytes(nonce));
  expect(made.length).toBe(sealed.bytes);
  expect(encoded(new Uint8Array(await crypto.subtle.digest("SHA-256", made)))).toBe(sealed.sha256);
  const opened = await open(keys.picture, parts("annon picture 1", room, id), made);
  expect(unpadded(opened)).toEqual(file);
  await expect(open(keys.picture, parts("annon picture 1", room, `${id}1`), made)).rejects.toThrow();
});

test.each(vectors.bodies)("the message $place.id opens, and is its sender's", async (vector) => {
  const opened = await openBody(keys, vector.place, vector.sealed);
  expect(opened?.said).toEqual(vector.said);
  expect(opened?.standing).toEqual(vector.standing);
  expect(opened?.hash).toBe(vector.hash);
  expect(opened && (await isSigned(opened, vectors.signer.k))).toBe(true);
  expect(opened && (await isSigned(opened, vectors.signer.other))).toBe(false);
  expect(opened && (await isSigned(opened, "no key"))).toBe(false);
});

test("a message that somebody else with the key has made opens, and is not its sender's", async () => {
  const opened = await openBody(keys, vectors.forged.place, vectors.forged.sealed);
  expect(opened).toBeDefined();
  expect(opened && (await isSigned(opened, vectors.signer.k))).toBe(false);
});

test.each(vectors.unopened)("a message doesn't open: $why", async ({ place, sealed }) => {
  expect(await openBody(keys, place, sealed)).toBeUndefined();
});

test("what is sealed opens, and tells its length only roughly", async () => {
  const signer = await newSigner();
  const k = await announced(signer);
  const place = { room: "r", sender: "🦊", id: "abcDEF123456789", answers: "" };
  const lengths = new Set<number>();
  for (const t of ["a", "a word", "as many words as fit into a message of the usual length"]) {
    const sealed = await sealBody(keys, signer, place, { t }, { n: 7, p: "p", s: 8 });
    lengths.add(sealed.length);
    const opened = await openBody(keys, place, sealed);
    expect(opened?.said).toEqual({ t });
    expect(opened && (await isSigned(opened, k))).toBe(true);
    expect(opened?.hash).toBe(await hashOf(bytes(sealed)));
  }
  expect(lengths.size).toBe(1);
  const longest = "\\".repeat(255);
  const said = { t: longest, c: "🙂".repeat(100), q: "🙂".repeat(255) };
  expect(
    await sealBody(keys, signer, place, said, { n: 1e9, p: vectors.bodies[0]?.hash ?? "", s: 1e9 }),
  ).toBeDefined();
});

test.each([0, 1, 62, 63, 64, 255, 256, 4095])(
  "padding of %i bytes comes off, and nothing else does",
  (length) => {
    for (const fill of [0, 0x80, 7]) {
      const raw = new Uint8Array(length).fill(fill);
      expect(unpadded(padded(raw))).toEqual(raw);
      expect(unpadded(paddedTo(raw, 64))).toEqual(raw);
      expect(paddedTo(raw, 64).length % 64).toBe(0);
    }
  },
);

test("what is too long is not sealed, and what has no padding doesn't come off", () => {
  expect(() => padded(new Uint8Array(4096))).toThrow();
  expect(() => unpadded(new Uint8Array(64))).toThrow();
  expect(() => unpadded(new Uint8Array(0))).toThrow();
});
