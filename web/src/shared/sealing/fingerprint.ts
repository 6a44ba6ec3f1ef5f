import { decoded, encoded } from "../base64url";

const FINGERPRINT_BYTES = 10;

/** What a personal link names a public key by: the first bytes of its SHA-256. */
export async function fingerprintOf(publicKey: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", decoded(publicKey) ?? new Uint8Array());
  return encoded(new Uint8Array(digest, 0, FINGERPRINT_BYTES));
}
