import { derived } from "../hkdf";
import { type Bytes, joined } from "./bytes";

const VERSION = 1;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** How `nonce` is drawn. Only the vectors' test draws none at random. */
export type Draw = (length: number) => Bytes;

export const drawn: Draw = (length) => crypto.getRandomValues(new Uint8Array(length));

/** A key for AES-256-GCM, which can't be read out of the browser. */
export function keyFrom(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** A key for AES-256-GCM that follows from a secret, for one use. */
export async function derivedKey(from: CryptoKey, use: string): Promise<CryptoKey> {
  return keyFrom(await derived(from, use, KEY_BYTES));
}

/** Locks bytes: a nonce, and AES-256-GCM's ciphertext with its tag. */
export async function lock(key: CryptoKey, aad: Bytes, bytes: Bytes, draw = drawn): Promise<Bytes> {
  const iv = draw(NONCE_BYTES);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: aad }, key, bytes);
  return joined(iv, new Uint8Array(sealed));
}

/** Unlocks what `lock` has made. Throws if it was made with another key, was bound to something else, or was changed. */
export async function unlock(key: CryptoKey, aad: Bytes, locked: Bytes): Promise<Bytes> {
  const how = { name: "AES-GCM", iv: locked.subarray(0, NONCE_BYTES), additionalData: aad };
  return new Uint8Array(await crypto.subtle.decrypt(how, key, locked.subarray(NONCE_BYTES)));
}

/** Seals bytes: locks them, behind a version. */
export async function seal(key: CryptoKey, aad: Bytes, bytes: Bytes, draw = drawn): Promise<Bytes> {
  return joined(new Uint8Array([VERSION]), await lock(key, aad, bytes, draw));
}

/** Opens what `seal` has made. Throws like `unlock`. */
export async function open(key: CryptoKey, aad: Bytes, sealed: Bytes): Promise<Bytes> {
  if (sealed[0] !== VERSION) throw new Error("sealed in a form of later");
  return unlock(key, aad, sealed.subarray(1));
}
