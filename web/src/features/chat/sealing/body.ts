import { decoded, encoded } from "@/shared/base64url";
import { PALETTE } from "@/shared/contract/palette";
import { type Bytes, joined, padded, parts, textOf, unpadded, utf8 } from "@/shared/sealing/bytes";
import { drawn, open, seal } from "@/shared/sealing/seal";
import type { Keys } from "./keys";

/** What a message is sealed to. It opens nowhere else: in no other group, and for no other sender, id or answer. */
export type Place = {
  room: string;
  /** The emoji of its sender. */
  sender: string;
  /** The id that its sender gave it. */
  id: string;
  /** The id of the message that it answers, or "". */
  answers: string;
};

/** A picture of a message: width and height, and of both its forms the id and the hash of what the server has. */
export type SealedPicture = [
  width: number,
  height: number,
  full: string,
  fullHash: string,
  tiny: string,
  tinyHash: string,
];

/** What a message says. One that announces a key says nothing else. */
export type Said = { t?: string; c?: string; q?: string; i?: SealedPicture } | { kind: "key"; k: string };

/** Where a message stands among those of its sender. */
export type Standing = {
  /** How many the sender has sent before, since the key was announced. */
  n: number;
  /** The hash of the sender's previous one, or "". */
  p: string;
  /** The newest `seq` that the sender had seen. */
  s: number;
};

/** A message after opening. `signed` is what the signature is of. */
export type Opened = { said: Said; standing: Standing; signed: Bytes; signature: Bytes; hash: string };

const SIGNING = { name: "ECDSA", namedCurve: "P-256" };
const SIGNED = { name: "ECDSA", hash: "SHA-256" };
const SIGNATURE_BYTES = 64;
const HASH_BYTES = 16;
/** The signature is the last member of the JSON, and always as long. */
const BEFORE = ',"g":"';
const TAIL = BEFORE.length + 86 + '"}'.length;

export function newSigner(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(SIGNING, false, ["sign", "verify"]);
}

export async function announced({ publicKey }: CryptoKeyPair): Promise<string> {
  return encoded(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
}

/** The first bytes of the SHA-256 of what was sealed. */
export async function hashOf(sealed: Bytes): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", sealed);
  return encoded(new Uint8Array(digest, 0, HASH_BYTES));
}

function aadOf({ room, sender, id, answers }: Place): Bytes {
  const number = PALETTE.indexOf(sender);
  return parts("annon message 1", room, new Uint8Array([number & 255]), id, answers);
}

/** A message as it is sent, in base64url. */
export async function sealBody(
  keys: Pick<Keys, "text">,
  signer: CryptoKeyPair,
  place: Place,
  said: Said,
  standing: Standing,
  draw = drawn,
): Promise<string> {
  const aad = aadOf(place);
  const json = JSON.stringify({ ...said, ...standing });
  const signature = await crypto.subtle.sign(SIGNED, signer.privateKey, joined(aad, utf8(json)));
  const whole = `${json.slice(0, -1)}${BEFORE}${encoded(new Uint8Array(signature))}"}`;
  return encoded(await seal(keys.text, aad, padded(utf8(whole)), draw));
}

/** Opens a message; undefined if it isn't one of this place. Whose signature it has is looked at later. */
export async function openBody(
  keys: Pick<Keys, "text">,
  place: Place,
  raw: string,
): Promise<Opened | undefined> {
  const sealed = decoded(raw);
  if (!sealed) return undefined;
  try {
    const aad = aadOf(place);
    const [padded, hash] = await Promise.all([open(keys.text, aad, sealed), hashOf(sealed)]);
    const bytes = unpadded(padded);
    const whole = textOf(bytes);
    if (!whole.slice(-TAIL).startsWith(BEFORE)) return undefined;
    const json = `${whole.slice(0, -TAIL)}}`;
    const { g, n, p, s, ...said } = JSON.parse(whole);
    const signature = decoded(String(g));
    if (signature?.length !== SIGNATURE_BYTES || !isCount(n) || !isCount(s) || typeof p !== "string")
      return undefined;
    const signed = joined(aad, utf8(json));
    return { said, standing: { n, p, s }, signed, signature, hash };
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The keys that were looked at, by what was announced. */
const imported = new Map<string, Promise<CryptoKey>>();

function keyOf(k: string): Promise<CryptoKey> {
  const raw = decoded(k) ?? new Uint8Array();
  const key = imported.get(k) ?? crypto.subtle.importKey("raw", raw, SIGNING, false, ["verify"]);
  imported.set(k, key);
  return key;
}

/** Whether a message was signed with the key that was announced as `k`. */
export async function isSigned({ signed, signature }: Opened, k: string): Promise<boolean> {
  try {
    return await crypto.subtle.verify(SIGNED, await keyOf(k), signature, signed);
  } catch {
    return false;
  }
}
