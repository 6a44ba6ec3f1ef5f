/** In place of the browser's store of keys, which the tests' browser doesn't have. Each key is there by its account. */
export const keysKept = new Map<string, unknown>();

export async function askKeys<Result>(
  _store: object,
  question: (keys: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const store = {
    get: (account: string) => ({ result: keysKept.get(account) }),
    put: (kept: { account: string }) => ({ result: keysKept.set(kept.account, kept) && kept.account }),
  };
  return question(store as unknown as IDBObjectStore).result;
}
