import { tabStorage } from "@/shared/storage";

const KEPT = "annon.note-id.";

/**
 * The id of the note that is being written to somebody. It stays the same until the note has arrived, also for a
 * reload: so a note that is sent again, because no answer came, is one note. The server can't see whether a sealed note
 * is still the same, so that its id is another if its `sameness` is.
 */
export function noteIdFor(username: string, sameness = ""): string {
  const [kept, before = ""] = (tabStorage.getItem(KEPT + username) ?? "").split(" ");
  const id = kept && before === sameness ? kept : newId();
  tabStorage.setItem(KEPT + username, `${id} ${sameness}`);
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
