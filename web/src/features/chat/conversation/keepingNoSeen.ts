import type { Storage } from "../storage";

/** The device's storage without how many lines were seen: the server counts that, and the list of groups has no conversations. */
export function keepingNoSeen({ getItem, removeItem, setItem }: Storage): Storage {
  return {
    getItem,
    removeItem,
    setItem: (key, value) => {
      if (!key.startsWith("annon.seen.")) setItem(key, value);
    },
  };
}
