import { decoded, encoded } from "../base64url";
import type { Bytes } from "./bytes";
import { CURVE, type InboxKey, publicKeyFrom } from "./hpke";
import { openNote, sealNote } from "./notes";

/** The key pair of an inbox that is sealed now. */
export type NewInboxKey = {
  /** As it stays on the device: nobody can read the private key out of it. */
  key: InboxKey;
  /** The public key, as senders get it. */
  publicKey: string;
  /** The private key (PKCS#8), which is there only this once, to be wrapped. */
  pkcs8: Bytes;
};

/** Makes a key pair. */
export async function newInboxKey(): Promise<NewInboxKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, true, ["deriveBits"]);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const raw = encoded(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const key = await inboxKeyFrom(pkcs8, raw);
  if (!key) throw new Error("a new key pair is one");
  return { key, publicKey: raw, pkcs8 };
}

/** Imports a private key (PKCS#8) with its public one; undefined if they aren't a pair, or if either is no key. */
export async function inboxKeyFrom(pkcs8: Bytes, publicKey: string): Promise<InboxKey | undefined> {
  try {
    const key = {
      privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, CURVE, false, ["deriveBits"]),
      publicKey: await publicKeyFrom(decoded(publicKey) ?? new Uint8Array()),
    };
    const trial = await sealNote(publicKey, "", { m: "", f: false });
    return (await openNote(key, "", trial)) ? key : undefined;
  } catch {
    return undefined;
  }
}
