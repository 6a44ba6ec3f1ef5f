import type { Quote } from "../model/chat";
import type { Shrunk } from "./Uploader";

/** A picture that isn't sent yet, as it outlives a reload. */
export type KeptPicture = {
  id: string;
  caption: string;
  reply: Quote | null;
  /** When it was chosen, in milliseconds. */
  at: number;
  shrunk: Shrunk;
  /** Why it failed, when it waits for somebody to try again. */
  why: string | undefined;
};

/** One room's. Nothing here fails: a browser that keeps nothing keeps nobody from sending. */
export type KeptPictures = {
  /** Whether it is kept now. */
  keep: (picture: KeptPicture) => Promise<boolean>;
  drop: (id: string) => Promise<void>;
  /** Whether it is still there; yes when nobody can tell. */
  has: (id: string) => Promise<boolean>;
  /** Oldest first. Those of rooms that have ended go on the way: nobody may ever open them again. */
  all: () => Promise<KeptPicture[]>;
  forget: () => Promise<void>;
};

const DATABASE = "annon";
const STORE = "pictures";
const BY_ROOM = "room";

/** Some browsers' databases never answer. What is to be sent doesn't wait longer than this for one. */
const ANSWERS_WITHIN_MS = 4000;

/** As it stands in the database: whose it is, and when that room ends by this device's clock, in milliseconds. */
type Stored = KeptPicture & { room: string; until: number };

/**
 * In the browser's own database: bytes are too large for its local storage. The caller that keeps one says until when it
 * is needed.
 */
export function keptPictures(room: string, until = 0): KeptPictures {
  let opening: Promise<IDBDatabase> | undefined;

  async function within<Result>(
    otherwise: Result,
    work: (pictures: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await Promise.race([worked(work), tooLate()]);
    } catch {
      opening = undefined;
      return otherwise;
    }
  }

  async function worked<Result>(work: (pictures: IDBObjectStore) => Promise<Result>): Promise<Result> {
    opening ??= opened();
    const transaction = (await opening).transaction(STORE, "readwrite");
    const done = ended(transaction);
    const [result] = await Promise.all([work(transaction.objectStore(STORE)), done]);
    return result;
  }

  return {
    keep: (picture) =>
      within(false, async (pictures) => {
        await answered(pictures.put({ ...picture, room, until } satisfies Stored));
        return true;
      }),
    drop: (id) => within(undefined, (pictures) => answered(pictures.delete(id))),
    has: (id) => within(true, async (pictures) => (await answered(pictures.count(id))) > 0),
    all: () =>
      within([], async (pictures) => {
        const found = await answered<Stored[]>(pictures.getAll());
        const lives = (kept: Stored) => kept.until > Date.now();
        for (const kept of found) if (!lives(kept)) pictures.delete(kept.id);
        return found
          .filter((kept) => kept.room === room && lives(kept))
          .sort((one, other) => one.at - other.at);
      }),
    forget: () =>
      within(undefined, async (pictures) => {
        for (const key of await answered(pictures.index(BY_ROOM).getAllKeys(room))) pictures.delete(key);
      }),
  };
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, ANSWERS_WITHIN_MS));
}

/** Throws where there is no database, or site data is blocked. */
function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    const pictures = request.result.createObjectStore(STORE, { keyPath: "id" });
    pictures.createIndex(BY_ROOM, BY_ROOM);
  };
  return answered(request);
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
