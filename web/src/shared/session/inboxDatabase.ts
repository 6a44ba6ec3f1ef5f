/** The database in which this device keeps the inbox that was read last. `features/inbox/keptInbox.ts` fills it. */
export const INBOX_DATABASE = "annon-inbox";

/** Destroys the kept inbox and the key it is sealed with. */
export function forgetInbox() {
  try {
    indexedDB.deleteDatabase(INBOX_DATABASE);
  } catch {
    // A browser that blocks site data throws. It has kept nothing.
  }
}
