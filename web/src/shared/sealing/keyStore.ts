import { databaseOf, ended } from "../database";

/** A store of keys that can't be read out of the browser. Databases have one each, so that each is forgotten alone. */
export type KeyStore = { database: string; store: string; keyPath: string };

/** Asks a store once, and gives what the question's request gives. Throws if the browser keeps none. */
export async function askKeys<Result>(
  { database: name, store, keyPath }: KeyStore,
  question: (keys: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await databaseOf(name, store, keyPath);
  try {
    const transaction = database.transaction(store, "readwrite");
    const request = question(transaction.objectStore(store));
    await ended(transaction);
    return request.result;
  } finally {
    database.close();
  }
}
