import { ROOM_LIFETIME_HOURS } from "@/shared/wire/limits";
import type { Quote } from "./chat";
import type { Shrunk } from "./shrink";

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
  /** Oldest first. What is older than any room can be goes on the way, whichever room's it was. */
  all: () => Promise<KeptPicture[]>;
  forget: () => Promise<void>;
};

const DATABASE = "annon";
const STORE = "pictures";
const BY_ROOM = "room";
const BY_AGE = "at";

/** In the browser's own database: bytes are too large for its local storage. */
export function keptPictures(
  room: string,
  factory: IDBFactory | undefined = globalThis.indexedDB,
): KeptPictures {
  let opening: Promise<IDBDatabase> | undefined;

  async function within<Result>(
    otherwise: Result,
    work: (pictures: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      opening ??= opened(factory);
      const transaction = (await opening).transaction(STORE, "readwrite");
      const done = ended(transaction);
      const [result] = await Promise.all([work(transaction.objectStore(STORE)), done]);
      return result;
    } catch {
      opening = undefined;
      return otherwise;
    }
  }

  return {
    keep: (picture) =>
      within(false, async (pictures) => {
        await answered(pictures.put({ ...picture, room }));
        return true;
      }),
    drop: (id) => within(undefined, (pictures) => answered(pictures.delete(id))),
    has: (id) => within(true, async (pictures) => (await answered(pictures.count(id))) > 0),
    all: () =>
      within([], async (pictures) => {
        const gone = IDBKeyRange.upperBound(Date.now() - ROOM_LIFETIME_HOURS * 3_600_000);
        await dropFound(pictures, pictures.index(BY_AGE), gone);
        const kept = await answered<KeptPicture[]>(pictures.index(BY_ROOM).getAll(room));
        return kept.sort((one, other) => one.at - other.at);
      }),
    forget: () => within(undefined, (pictures) => dropFound(pictures, pictures.index(BY_ROOM), room)),
  };
}

async function dropFound(pictures: IDBObjectStore, index: IDBIndex, which: IDBValidKey | IDBKeyRange) {
  for (const key of await answered(index.getAllKeys(which))) pictures.delete(key);
}

function opened(factory: IDBFactory | undefined): Promise<IDBDatabase> {
  if (!factory) return Promise.reject(new Error("no database here"));
  const request = factory.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    const pictures = request.result.createObjectStore(STORE, { keyPath: "id" });
    for (const index of [BY_ROOM, BY_AGE]) pictures.createIndex(index, index);
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
