import { tooLate } from "../database";
import { noteInboxKeyOf } from "../session/inboxKeyOf";
import { INBOX_KEYS_DATABASE } from "../session/inboxOnDevice";
import { type Bytes, utf8 } from "./bytes";
import type { InboxKey } from "./hpke";
import { askKeys } from "./keyStore";
import { lock, unlock } from "./seal";

const KEYS = { database: INBOX_KEYS_DATABASE, store: "keys", keyPath: "account" };

/**
 * What this device has of an account's inbox. Nobody can read the private key out of it, and so it can't be given to
 * another device. For that it is kept a second time, locked with a key that can't be read out either (`pkcs8Of`).
 */
type Kept = { account: string; key: InboxKey; lockedBy: CryptoKey; locked: Bytes };

const LOCKED = utf8("annon inbox device 1");

const asked = <Result>(question: (keys: IDBObjectStore) => IDBRequest<Result>) =>
  Promise.race([askKeys(KEYS, question), tooLate()]);

/**
 * Keeps the private key of an account's inbox on this device, in place of the one before, until the sign-in is ended
 * (`forgetSession`). Throws if it can't.
 */
export async function keep(account: string, key: InboxKey, pkcs8: Bytes): Promise<void> {
  const how = { name: "AES-GCM", length: 256 };
  const lockedBy = await crypto.subtle.generateKey(how, false, ["encrypt", "decrypt"]);
  const locked = await lock(lockedBy, LOCKED, pkcs8);
  await asked((keys) => keys.put({ account, key, lockedBy, locked } satisfies Kept));
  noteInboxKeyOf(account);
}

/** The private key of an account's inbox; undefined if this device has none. */
export async function privateKeyOf(account: string): Promise<InboxKey | undefined> {
  return (await keptOf(account))?.key;
}

/** The private key as bytes (PKCS#8), only to hand it over or to wrap it again; undefined if this device has none. */
export async function pkcs8Of(account: string): Promise<Bytes | undefined> {
  const kept = await keptOf(account);
  return kept && unlock(kept.lockedBy, LOCKED, kept.locked);
}

function keptOf(account: string): Promise<Kept | undefined> {
  return asked<Kept | undefined>((keys) => keys.get(account)).catch(() => undefined);
}
