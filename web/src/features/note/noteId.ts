import { tabStorage } from "@/shared/storage";

const KEPT = "annon.note-id.";

/**
 * The id of the note that is being written to somebody. It stays the same until the note has arrived, also for a
 * reload: so a note that is sent again, because no answer came, is one note.
 */
export function noteIdFor(username: string): string {
  const id = tabStorage.getItem(KEPT + username) ?? newId();
  tabStorage.setItem(KEPT + username, id);
  return id;
}

export function forgetNoteId(username: string) {
  tabStorage.removeItem(KEPT + username);
}

/** A UUID. Browsers make one by themselves only on a page that came with TLS. */
function newId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return hex.join("");
}
