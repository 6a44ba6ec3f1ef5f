import { parsed } from "@/shared/json";
import { dropRoom } from "@/shared/keptRooms";
import { forgetCreator } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import type { Draft } from "./model/chat";
import type { Entry } from "./sending/item";
import { keptPictures } from "./sending/keptPictures";

/** What is kept of a room on this device. The key of the visitor's emoji is the room's id alone. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

const outboxKey = (room: string) => `annon.outbox.${room}`;
const draftKey = (room: string) => `annon.draft.${room}`;

/** Messages that can be sent as they are and may not have arrived. All tabs of a seat share them. */
export function keptEntries(storage: Storage, room: string): Entry[] {
  const kept = parsed(storage.getItem(outboxKey(room)));
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

export function keepEntry(storage: Storage, room: string, entry: Entry) {
  // Another tab of the same seat may have uploaded the same picture.
  const others = keptEntries(storage, room).filter(({ id }) => id !== entry.id);
  storage.setItem(outboxKey(room), JSON.stringify([...others, entry]));
}

export function dropEntry(storage: Storage, room: string, id: string) {
  const kept = keptEntries(storage, room);
  const others = kept.filter((entry) => entry.id !== id);
  if (others.length === 0) storage.removeItem(outboxKey(room));
  else if (others.length < kept.length) storage.setItem(outboxKey(room), JSON.stringify(others));
}

function isEntry(kept: unknown): kept is Entry {
  const { id, words, at } = (kept ?? {}) as Partial<Entry>;
  return typeof id === "string" && typeof words === "string" && typeof at === "number";
}

/** What was typed and not sent. */
export function keptDraft(storage: Storage, room: string): Draft {
  const { words, replyTo } = (parsed(storage.getItem(draftKey(room))) ?? {}) as Partial<Draft>;
  if (typeof words !== "string") return { words: "", replyTo: undefined };
  return { words, replyTo: typeof replyTo === "number" ? replyTo : undefined };
}

export function keepDraft(storage: Storage, room: string, draft: Draft) {
  if (draft.words === "" && draft.replyTo === undefined) storage.removeItem(draftKey(room));
  else storage.setItem(draftKey(room), JSON.stringify(draft));
}

/** The room is over for this visitor: removes all that is kept of it, also the cookie that says who created it. */
export function forgetRoom(storage: Storage, room: string) {
  forgetCreator(room);
  dropRoom(storage, room);
  for (const key of [room, outboxKey(room), draftKey(room)]) storage.removeItem(key);
}

/** As `forgetRoom`, and removes the pictures that wait in the browser's database. */
export async function forget(room: string) {
  forgetRoom(deviceStorage, room);
  await keptPictures(room).forget();
}
