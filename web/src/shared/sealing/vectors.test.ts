import { expect, test } from "vitest";
import { decoded, encoded } from "@/shared/base64url";
import type { Bytes } from "./bytes";
import { fingerprintOf } from "./fingerprint";
import { CURVE, openFor, publicKeyFrom, sealTo } from "./hpke";
import { contentKeyOf, copyPlace, lineKeyOf, openLine, sealLine } from "./lines";
import { inboxKeyFrom, newInboxKey } from "./newInboxKey";
import { parted, withCopy } from "./noteMessage";
import { openNote, sealNote } from "./notes";
import { newCode, readCode, shownCode, unwrap, wrap } from "./recovery";
import vectors from "./vectors.json";

const bytes = (text: string): Bytes => decoded(text) ?? new Uint8Array();
const hex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const drawNonce = () => bytes(vectors.nonce);
const { inbox, other, target, conversation } = vectors;

async function keyOf({ pkcs8, publicKey }: { pkcs8: string; publicKey: string }) {
  const key = await inboxKeyFrom(bytes(pkcs8), publicKey);
  if (!key) throw new Error("the vectors have a key pair");
  return key;
}

const key = await keyOf(inbox);
const lineKey = await lineKeyOf(conversation.contentKey);

/** The bytes with one bit turned over. */
function flipped(sealed: string, at: number): string {
  const all = bytes(sealed);
  const place = at < 0 ? all.length + at : at;
  all[place] = (all[place] ?? 0) ^ 1;
  return encoded(all);
}

/** What no seal may survive: a cut, one byte more, and one bit turned over in each of its parts. */
const damaged = (sealed: string, places: number[]) => [
  "",
  "AQ",
  "no base64url!",
  encoded(bytes(sealed).subarray(0, -1)),
  encoded(bytes(sealed).subarray(1)),
  encoded(new Uint8Array([...bytes(sealed), 0])),
  ...places.map((place) => flipped(sealed, place)),
];

/** A private scalar as a key, in PKCS#8 without a public key. */
const scalar = (raw: string) =>
  hex(`3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420${raw}`);

test("the suite seals and opens as RFC 9180's own vector says", async () => {
  const { info, skRm, pkRm, skEm, pkEm, enc, aad, pt, ct } = vectors.hpke;
  const pair = async (secret: string, point: string) => ({
    privateKey: await crypto.subtle.importKey("pkcs8", scalar(secret), CURVE, false, ["deriveBits"]),
    publicKey: await publicKeyFrom(hex(point)),
  });
  const about = { info: hex(info), aad: hex(aad) };
  const recipient = await pair(skRm, pkRm);
  const sealed = await sealTo(recipient.publicKey, about, hex(pt), await pair(skEm, pkEm));
  expect(sealed).toEqual(hex(enc + ct));
  expect(await openFor(recipient, about, sealed)).toEqual(hex(pt));
});

test.each(vectors.notes)("a note is sealed as another implementation does: %#", async ({ said, sealed }) => {
  const ephemeral = await keyOf(vectors.ephemeral);
  expect(await sealNote(inbox.publicKey, target, said, ephemeral)).toBe(sealed);
  expect(await openNote(key, target, sealed)).toEqual(said);
  expect(await openNote(key, target, withCopy(sealed, "copy"))).toEqual(said);
  expect(await openNote(await keyOf(other), target, sealed)).toBeUndefined();
  expect(await openNote(key, target.replace("4", "5"), sealed)).toBeUndefined();
});

test.each(vectors.unopenedNotes)("a note doesn't open: $why", async ({ sealed }) => {
  expect(await openNote(key, target, sealed)).toBeUndefined();
});

test.each(damaged(vectors.notes[0]?.sealed ?? "", [0, 1, 2, 40, 66, 200, -1]))(
  "a damaged note doesn't open: %#",
  async (sealed) => expect(await openNote(key, target, sealed)).toBeUndefined(),
);

test("every seal of a note is another, of one of three lengths, and a note that is too long has none", async () => {
  const lengths = new Set<number>();
  for (const m of ["ten letters", "ten letters", "🙂".repeat(200), "🙂".repeat(280), "\u0001".repeat(280)]) {
    const sealed = await sealNote(inbox.publicKey, target, { m, f: true, k: conversation.contentKey });
    expect(await openNote(key, target, sealed)).toEqual({ m, f: true, k: conversation.contentKey });
    lengths.add(bytes(sealed).length);
  }
  expect([...lengths]).toEqual([594, 1106, 2130]);
  const [one, two] = await Promise.all(
    [0, 1].map(() => sealNote(inbox.publicKey, target, { m: "", f: true })),
  );
  expect(one).not.toBe(two);
  await expect(sealNote(inbox.publicKey, target, { m: "a".repeat(2048), f: false })).rejects.toThrow();
});

test.each(["", "AA", inbox.publicKey.slice(1), flipped(inbox.publicKey, -1), flipped(inbox.publicKey, 0)])(
  "nothing is sealed to what is no key: %#",
  async (publicKey) => {
    await expect(sealNote(publicKey, target, { m: "", f: false })).rejects.toThrow();
    expect(await inboxKeyFrom(bytes(inbox.pkcs8), publicKey)).toBeUndefined();
  },
);

test("a fingerprint is what another implementation says", async () => {
  expect(await fingerprintOf(inbox.publicKey)).toBe(inbox.fingerprint);
  expect(inbox.fingerprint).toHaveLength(14);
  expect(await fingerprintOf(other.publicKey)).not.toBe(inbox.fingerprint);
});

test("a new key pair opens what is sealed to it, and can be imported again, but not be read", async () => {
  const made = await newInboxKey();
  const sealed = await sealNote(made.publicKey, target, { m: "words", f: false });
  expect(await openNote(made.key, target, sealed)).toEqual({ m: "words", f: false });
  const again = await inboxKeyFrom(made.pkcs8, made.publicKey);
  expect(again && (await openNote(again, target, sealed))).toEqual({ m: "words", f: false });
  expect(await inboxKeyFrom(made.pkcs8, inbox.publicKey)).toBeUndefined();
  expect(await inboxKeyFrom(made.pkcs8.subarray(1), made.publicKey)).toBeUndefined();
  for (const { privateKey } of [made.key, key]) {
    expect(privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey("pkcs8", privateKey)).rejects.toThrow();
  }
});

test("a message is a note, or a note with its sender's copy", () => {
  expect(parted("note")).toEqual({ note: "note" });
  expect(parted(withCopy("note", "copy"))).toEqual({ note: "note", copy: "copy" });
});

test("the content key of a conversation follows from the secret of its link", async () => {
  expect(await contentKeyOf(conversation.secret)).toBe(conversation.contentKey);
  await expect(lineKeyOf(conversation.contentKey.slice(2))).rejects.toThrow();
  expect(copyPlace(conversation.id)).toEqual(vectors.lines[1]?.place);
});

test.each(vectors.lines)("a line is sealed as another implementation does: %#", async (vector) => {
  const { words, sealed } = vector;
  const place = vector.place as Parameters<typeof openLine>[1];
  expect(await sealLine(lineKey, place, words, drawNonce)).toBe(sealed);
  expect(await openLine(lineKey, place, sealed)).toBe(words);
  const elsewhere = [
    { ...place, conversation: `${place.conversation}1` },
    { ...place, id: `${place.id}1` },
    { ...place, from: place.from === "owner" ? "sender" : "owner" } as const,
  ];
  for (const place of elsewhere) expect(await openLine(lineKey, place, sealed)).toBeUndefined();
});

const placeOfLines = { conversation: conversation.id, from: "owner", id: "AbCdEfGhIjKlMnO" } as const;

test.each(vectors.unopenedLines)("a line doesn't open: $why", async ({ sealed }) => {
  expect(await openLine(lineKey, placeOfLines, sealed)).toBeUndefined();
});

test.each(damaged(vectors.lines[0]?.sealed ?? "", [0, 1, 12, 13, 40, -1]))(
  "a damaged line doesn't open: %#",
  async (sealed) => expect(await openLine(lineKey, placeOfLines, sealed)).toBeUndefined(),
);

test.each(["", "a", "🙂".repeat(280), "\ufeffa mark before it, and\n\ttabs"])(
  "the words %j are the same after opening",
  async (words) => {
    const sealed = await sealLine(lineKey, placeOfLines, words);
    expect(await openLine(lineKey, placeOfLines, sealed)).toBe(words);
    expect(sealed).not.toBe(await sealLine(lineKey, placeOfLines, words));
  },
);

test("words that are too long for a line are not sealed", async () => {
  await expect(sealLine(lineKey, placeOfLines, "a".repeat(4096))).rejects.toThrow();
});

test.each(vectors.recovery.codes)("the code $shown has the check that it should", ({ code, shown }) => {
  expect(shownCode(code)).toBe(shown);
  expect(readCode(shown)).toEqual({ code });
  expect(readCode(` ${shown.toLowerCase().replaceAll("-", " ")}\n`)).toEqual({ code });
  expect(readCode(shown.replaceAll("-", "–").replaceAll("0", "o").replaceAll("1", "l"))).toEqual({ code });
});

test("a code that is mistyped is told before anything is asked", () => {
  const shown = vectors.recovery.codes[0]?.shown ?? "";
  const letters = shown.replaceAll("-", "");
  for (const [at, letter] of [...letters].entries()) {
    const instead = letter === "7" ? "8" : "7";
    const wrong = letters.slice(0, at) + instead + letters.slice(at + 1);
    expect(readCode(wrong), wrong).toEqual({ wrong: "mistyped" });
    const next = letters[at + 1];
    if (next && next !== letter && at < 24) {
      const swapped = letters.slice(0, at) + next + letter + letters.slice(at + 2);
      expect(readCode(swapped).code, swapped).toBeUndefined();
    }
  }
  // Of this code the check is no letter.
  const withSign = shownCode(`${"0".repeat(23)}10`);
  expect(withSign).toMatch(/-\*$/);
  for (const wrong of ["", shown.slice(0, -1), `${shown}7`, shown.slice(0, 12), withSign.slice(1)])
    expect(readCode(wrong), wrong).toEqual({ wrong: "length" });
  for (const wrong of [`!${shown.slice(1)}`, `U${shown.slice(1)}`, `${shown.slice(0, -1)}é`])
    expect(readCode(wrong), wrong).toEqual({ wrong: "sign" });
});

test("every new code is another, can be read, and uses every letter", () => {
  const codes = Array.from({ length: 50 }, () => newCode());
  expect(new Set(codes).size).toBe(50);
  for (const code of codes) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z*~$=U]$/);
    expect(readCode(code).code).toBe(code.slice(0, -2).replaceAll("-", ""));
  }
  expect(new Set(codes.join("").match(/[0-9A-HJKMNP-TV-Z]/g)).size).toBe(32);
});

test("a private key is wrapped as another implementation does, and no other code unwraps it", async () => {
  const { codes, wrapped } = vectors.recovery;
  const [code = "", wrong = ""] = codes.map(({ code }) => code);
  expect(await wrap(code, bytes(inbox.pkcs8), drawNonce)).toBe(wrapped);
  expect(encoded((await unwrap(code, wrapped)) ?? new Uint8Array())).toBe(inbox.pkcs8);
  expect(await unwrap(wrong, wrapped)).toBeUndefined();
  for (const bad of damaged(wrapped, [0, 11, 12, -1])) expect(await unwrap(code, bad)).toBeUndefined();
});
