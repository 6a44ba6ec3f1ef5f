import type { Bytes } from "./sealing/bytes";

/** What keys are derived from. */
export function secretOf(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
}

/** Bytes that follow from a secret by HKDF-SHA256 with an empty salt, for one use. */
export async function derived(from: CryptoKey, use: string, length: number): Promise<Bytes> {
  const info = new TextEncoder().encode(use);
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, from, length * 8));
}
