/** In some browsers the database never answers. Nothing waits longer than this for it. */
const ANSWERS_WITHIN_MS = 4000;

/** Opens a database with one store. Throws if the browser has no database, or blocks it. */
export function databaseOf(name: string, store: string, keyPath: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath });
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
}

/** Resolves when a transaction has been written. Nobody looks at why one hasn't. */
export function ended(transaction: IDBTransaction): Promise<unknown> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = reject;
  });
}

/** Rejects when the database has had its time. */
export function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, ANSWERS_WITHIN_MS));
}
