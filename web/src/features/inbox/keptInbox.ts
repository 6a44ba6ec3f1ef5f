import { INBOX_PAGE } from "@/shared/contract/limits";
import { parsed } from "@/shared/json";
import { INBOX_DATABASE } from "@/shared/session/inboxOnDevice";
import { token } from "@/shared/session/session";
import { type Inbox, unreadOf } from "./inboxStore";

/**
 * The inbox that was read last, to be read without the server. The device keeps it sealed with AES-GCM, bound to the
 * username. The key is new for each version and can't be exported: scripts and files have only the browser's handle to
 * it. Signing out deletes both (`forgetInbox`).
 */
export type KeptInbox = Pick<Inbox, "notes" | "unread" | "hasOlder" | "asOf" | "heldWords">;

type Sealed = { key: CryptoKey; nonce: Uint8Array<ArrayBuffer>; text: ArrayBuffer };

const STORE = "kept";
const RECORD = "inbox";
const NONCE_BYTES = 12;
/** Changes that come together are kept together. */
const KEEP_AFTER_MS = 300;

const encoded = (text: string) => new TextEncoder().encode(text);
const cipher = (nonce: Sealed["nonce"], username: string) => ({
  name: "AES-GCM",
  iv: nonce,
  additionalData: encoded(username),
});

/** Keeps what the inbox becomes. A sealed note is kept as the server has it. */
export class InboxKeeper {
  private readonly bearer: string;
  private readonly username: string;
  private keeping: number | undefined;

  constructor(bearer: string, username: string) {
    this.bearer = bearer;
    this.username = username;
  }

  /** A deleted note is not kept any longer, even if that can be undone. */
  keep(inbox: Inbox, before: Inbox) {
    if (inbox.status !== "ready" || inbox.shelf !== "inbox") return;
    window.clearTimeout(this.keeping);
    const { asOf, heldWords } = inbox;
    const notes = inbox.notes.filter(({ id }) => !(id in inbox.deletions));
    const hasOlder = inbox.hasOlder || notes.length > INBOX_PAGE;
    const kept = { notes: notes.slice(0, INBOX_PAGE), unread: unreadOf(inbox), hasOlder, asOf, heldWords };
    const keep = () => void keepInbox(this.bearer, this.username, kept).catch(() => {});
    const isLess = inbox.deletions !== before.deletions || inbox.notes.length < before.notes.length;
    if (!isLess) this.keeping = window.setTimeout(keep, KEEP_AFTER_MS);
    else keep();
  }
}

/** Keeps the inbox in place of the one before, unless the sign-in with this token has ended. */
async function keepInbox(bearer: string, username: string, inbox: KeptInbox) {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const text = await crypto.subtle.encrypt(cipher(nonce, username), key, encoded(JSON.stringify(inbox)));
  const sealed: Sealed = { key, nonce, text };
  // Looked at when the database is open: a sign-out in another window deletes it after it has ended the sign-in.
  await using("readwrite", (store) => (token() === bearer ? store.put(sealed, RECORD) : undefined));
}

/** What the device has kept for this user. Nothing, if it is another user's. */
export async function readKeptInbox(username: string): Promise<KeptInbox | undefined> {
  const sealed: Sealed | undefined = await using("readonly", (store) => store.get(RECORD));
  if (!sealed) return undefined;
  const text = await crypto.subtle.decrypt(cipher(sealed.nonce, username), sealed.key, sealed.text);
  return parsed(new TextDecoder().decode(text)) as KeptInbox;
}

/** Opens the database for one request. It isn't left open, because that would delay a sign-out in another window. */
async function using<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  const opening = indexedDB.open(INBOX_DATABASE);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database = await answer(opening);
  try {
    const asked = ask(database.transaction(STORE, mode).objectStore(STORE));
    return asked && (await answer(asked));
  } finally {
    database.close();
  }
}

function answer<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
