import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { type Bytes, joined } from "./bytes";

/** The length of a public key, and of what a seal carries of its own key pair: a point of the curve, uncompressed. */
export const POINT_BYTES = 65;

/** A private key with its public one, which opening needs and which nobody can find from a key that isn't exportable. */
export type InboxKey = { privateKey: CryptoKey; publicKey: CryptoKey };

/** What a seal is made with, or opened with: a use, and what it is bound to. */
type About = { info: Bytes; aad: Bytes };

export const CURVE = { name: "ECDH", namedCurve: "P-256" };

/** RFC 9180: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, in its base mode. */
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** Imports a public key. Throws if the bytes are no point of the curve. */
export function publicKeyFrom(point: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", point, CURVE, true, []);
}

/** Seals bytes to a public key. Only the vectors' test gives the key pair that is used once. */
export async function sealTo(
  recipientPublicKey: CryptoKey,
  { info, aad }: About,
  bytes: Bytes,
  ekm?: CryptoKeyPair,
): Promise<Bytes> {
  const params = { recipientPublicKey, info, ...(ekm && { ekm }) };
  const { enc, ct } = await suite.seal(params, bytes, aad);
  return joined(new Uint8Array(enc), new Uint8Array(ct));
}

/** Opens what `sealTo` has made. Throws if it was made for another key, was bound to something else, or was changed. */
export async function openFor(
  { privateKey, publicKey }: InboxKey,
  { info, aad }: About,
  sealed: Bytes,
): Promise<Bytes> {
  const enc = sealed.subarray(0, POINT_BYTES);
  const params = { recipientKey: { privateKey, publicKey }, enc, info };
  return new Uint8Array(await suite.open(params, sealed.subarray(POINT_BYTES), aad));
}
