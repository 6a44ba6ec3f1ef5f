import { deviceStorage } from "@/shared/storage";

/** The database in which this device keeps the inbox that was read last. `features/inbox/keptInbox.ts` fills it. */
export const INBOX_DATABASE = "annon-inbox";

/** Destroys the kept inbox and the key it is sealed with. */
export const forgetInbox = () => destroy(INBOX_DATABASE);

/** The database with the key of a sealed inbox. `shared/sealing/inboxKey.ts` fills it. */
export const INBOX_KEYS_DATABASE = "annon-inbox-keys";

/** Destroys the key of a sealed inbox. */
export const forgetInboxKey = () => destroy(INBOX_KEYS_DATABASE);

function destroy(database: string) {
  try {
    indexedDB.deleteDatabase(database);
  } catch {
    // A browser that blocks site data throws. It has kept nothing.
  }
}

/** The keys of promised deletions in the device's storage. After it are the username, a dot and the note's id. */
export const PROMISED = "annon.deleting.";

/** Forgets all promised deletions: the notes are gone with their account. */
export function forgetPromisedDeletions() {
  for (const key of deviceStorage.keys()) if (key.startsWith(PROMISED)) deviceStorage.removeItem(key);
}
