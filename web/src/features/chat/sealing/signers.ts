import { tooLate } from "@/shared/database";
import { askKeys } from "@/shared/sealing/keyStore";
import { newSigner } from "./body";

const SIGNERS = { database: "annon-signers", store: "signers", keyPath: "room" };

/** `until` is when the group ends, by this device's clock, in milliseconds. */
type Kept = { room: string; until: number; pair: CryptoKeyPair };

/**
 * The key that this browser signs with in a group. It can't be read out of the browser, and goes with the group. Where
 * the browser keeps none, the page has a new one, and the others are told.
 */
export async function signerOf(room: string, until: number): Promise<CryptoKeyPair> {
  try {
    return await Promise.race([kept(room, until), tooLate()]);
  } catch {
    return newSigner();
  }
}

/** Forgets the key of a group that is over for this browser. */
export async function forgetSigner(room: string): Promise<void> {
  try {
    await Promise.race([askKeys(SIGNERS, (signers) => signers.delete(room)), tooLate()]);
  } catch {
    // The browser keeps none.
  }
}

async function kept(room: string, until: number): Promise<CryptoKeyPair> {
  let pair = await known(room);
  if (pair) return pair;
  const fresh = await newSigner();
  // Another tab may have put one there meanwhile: both have the first one.
  await askKeys(SIGNERS, (signers) => {
    const found: IDBRequest<Kept | undefined> = signers.get(room);
    found.onsuccess = () => {
      pair = found.result?.pair ?? fresh;
      if (!found.result) signers.put({ room, until, pair } satisfies Kept);
    };
    return found;
  });
  return pair ?? fresh;
}

/** The key that is kept. Also deletes those of groups that have ended. */
async function known(room: string): Promise<CryptoKeyPair | undefined> {
  let pair: CryptoKeyPair | undefined;
  await askKeys(SIGNERS, (signers) => {
    const all: IDBRequest<Kept[]> = signers.getAll();
    all.onsuccess = () => {
      for (const old of all.result) if (old.until <= Date.now()) signers.delete(old.room);
      pair = all.result.find((one) => one.room === room && one.until > Date.now())?.pair;
    };
    return all;
  });
  return pair;
}
