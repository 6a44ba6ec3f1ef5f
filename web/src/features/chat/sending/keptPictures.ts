import { databaseOf, ended, tooLate } from "@/shared/database";
import type { Entry } from "./item";
import type { Shrunk } from "./uploadBoth";

/** A picture that is not sent yet, as it is kept for the time after a reload. */
export type KeptPicture = Pick<Entry, "id" | "reply" | "at"> & {
  caption: string;
  shrunk: Shrunk;
  /** Why it failed, if it waits until the visitor tries again. */
  why: string | undefined;
};

const DATABASE = "annon";
const STORE = "pictures";

/** A record of the database. `until` is when the room ends, by this device's clock, in milliseconds. */
type Stored = KeptPicture & { room: string; until: number };

export type KeptPictures = ReturnType<typeof keptPictures>;

/**
 * A room's pictures that are not sent yet, in the browser's database: they are too large for local storage. `until` is
 * needed only to keep pictures. No function here throws: pictures can also be sent in a browser that keeps none.
 */
export function keptPictures(room: string, until = 0) {
  let opening: Promise<IDBDatabase> | undefined;

  async function ask<Result>(question: (pictures: IDBObjectStore) => IDBRequest<Result>) {
    opening ??= databaseOf(DATABASE, STORE, "id");
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
    /** Resolves to true if the picture was written. */
    keep: async (picture: KeptPicture) => {
      const record: Stored = { ...picture, room, until };
      return (await asked<IDBValidKey>("", (pictures) => pictures.put(record))) === picture.id;
    },
    drop,
    /** Whether it is still there; also true if the database fails. */
    has: async (id: string) => (await asked(1, (pictures) => pictures.count(id))) > 0,
    /** The room's pictures, oldest first. Also deletes those of all rooms that have ended: none may be opened again. */
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
