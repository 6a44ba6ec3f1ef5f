import type { Entry } from "./item";
import type { Shrunk } from "./upload";

/** A picture that isn't sent yet, as it outlives a reload. */
export type KeptPicture = Pick<Entry, "id" | "reply" | "at"> & {
  caption: string;
  shrunk: Shrunk;
  /** Why it failed, when it waits for somebody to try again. */
  why: string | undefined;
};

const DATABASE = "annon";
const STORE = "pictures";

/** Some browsers' databases never answer. What is to be sent doesn't wait longer than this for one. */
const ANSWERS_WITHIN_MS = 4000;

/** As it stands in the database: whose it is, and when that room ends by this device's clock, in milliseconds. */
type Stored = KeptPicture & { room: string; until: number };

export type KeptPictures = ReturnType<typeof keptPictures>;

/**
 * A room's pictures, in the browser's own database: bytes are too large for its local storage. The caller that keeps one
 * says until when it is needed. Nothing here fails: a browser that keeps nothing keeps nobody from sending.
 */
export function keptPictures(room: string, until = 0) {
  let opening: Promise<IDBDatabase> | undefined;

  async function ask<Result>(question: (pictures: IDBObjectStore) => IDBRequest<Result>) {
    opening ??= opened();
    const transaction = (await opening).transaction(STORE, "readwrite");
    const request = question(transaction.objectStore(STORE));
    await ended(transaction);
    return request.result;
  }

  const asked = <Result>(otherwise: Result, question: (pictures: IDBObjectStore) => IDBRequest<Result>) =>
    Promise.race([ask(question), tooLate()]).catch(() => {
      opening = undefined;
      return otherwise;
    });

  const stored = () => asked<Stored[]>([], (pictures) => pictures.getAll());

  const drop = (id: string) => asked(undefined, (pictures) => pictures.delete(id));

  return {
    /** Whether it is kept now. */
    keep: async (picture: KeptPicture) => {
      const record: Stored = { ...picture, room, until };
      return (await asked<IDBValidKey>("", (pictures) => pictures.put(record))) === picture.id;
    },
    drop,
    /** Whether it is still there; yes when nobody can tell. */
    has: async (id: string) => (await asked(1, (pictures) => pictures.count(id))) > 0,
    /** Oldest first. Those of rooms that have ended go on the way: nobody may ever open them again. */
    all: async (): Promise<KeptPicture[]> => {
      const found = await stored();
      const [now, mine] = [Date.now(), found.filter((kept) => kept.room === room)];
      for (const kept of found) if (kept.until <= now) void drop(kept.id);
      return mine.filter((kept) => kept.until > now).sort((one, other) => one.at - other.at);
    },
    forget: async () => {
      for (const kept of await stored()) if (kept.room === room) await drop(kept.id);
    },
  };
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, ANSWERS_WITHIN_MS));
}

/** Throws where there is no database, or site data is blocked. */
function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
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
