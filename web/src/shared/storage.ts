/** The browser's own, for every visit to come. */
export const deviceStorage = guarded(() => localStorage);

/** Gone with the tab. */
export const tabStorage = guarded(() => sessionStorage);

/**
 * A browser that blocks site data throws when a storage is so much as looked at, and a full one when it is written to.
 * Nobody is kept from anything by that: what can't be kept holds for this page.
 */
function guarded(storage: () => Storage) {
  const onThisPage = new Map<string, string>();
  return {
    getItem: (key: string) => onThisPage.get(key) ?? attempt(() => storage().getItem(key)) ?? null,
    /** Whether it is kept for longer than this page. */
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
