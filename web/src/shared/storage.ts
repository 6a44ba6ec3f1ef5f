/** The browser's local storage. */
export const deviceStorage = guarded(() => localStorage);

/** The tab's session storage. */
export const tabStorage = guarded(() => sessionStorage);

/**
 * A browser that blocks site data throws even when a page only looks at the storage; a full storage throws when it is
 * written to. What can't be stored is kept in memory for this page, so the app still works.
 */
function guarded(storage: () => Storage) {
  const onThisPage = new Map<string, string>();
  return {
    getItem: (key: string) => onThisPage.get(key) ?? attempt(() => storage().getItem(key)) ?? null,
    /** Returns whether the value is kept longer than this page. */
    setItem: (key: string, value: string): boolean => {
      onThisPage.set(key, value);
      attempt(() => {
        storage().setItem(key, value);
        onThisPage.delete(key);
      });
      return !onThisPage.has(key);
    },
    removeItem: (key: string) => {
      onThisPage.delete(key);
      attempt(() => storage().removeItem(key));
    },
    keys: () => attempt(() => Object.keys(storage())) ?? [],
  };
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
