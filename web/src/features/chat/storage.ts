import { parsed } from "@/shared/json";
import { dropRoom } from "@/shared/keptRooms";
import { forgetCreator } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import type { Draft } from "./model/chat";
import { keptPictures } from "./sending/keptPictures";

/** What is kept of a room on this device. The key of the visitor's emoji is the room's id alone. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

export const outboxKey = (room: string) => `annon.outbox.${room}`;
export const wishesKey = (room: string) => `annon.reactions.${room}`;
export const draftKey = (room: string) => `annon.draft.${room}`;
/** Of a sealed group: the keys that its members sign with, and this browser's own last message. */
export const believedKey = (room: string) => `annon.believed.${room}`;
export const ownKey = (room: string) => `annon.own.${room}`;

/** What can be sent as it is and may not have arrived: messages, or reactions. All tabs of a seat share it. */
export function keptEntries<Kept extends { id: string }>(storage: Storage, key: string): Kept[] {
  const kept = parsed(storage.getItem(key));
  return Array.isArray(kept) ? kept.filter((entry) => typeof entry?.id === "string") : [];
}

export function keepEntry<Kept extends { id: string }>(storage: Storage, key: string, entry: Kept) {
  // Another tab of the same seat may have uploaded the same picture.
  const others = keptEntries(storage, key).filter(({ id }) => id !== entry.id);
  storage.setItem(key, JSON.stringify([...others, entry]));
}

export function dropEntry(storage: Storage, key: string, id: string) {
  const kept = keptEntries(storage, key);
  const others = kept.filter((entry) => entry.id !== id);
  if (others.length === 0) storage.removeItem(key);
  else if (others.length < kept.length) storage.setItem(key, JSON.stringify(others));
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
  storage.removeItem(room);
  for (const key of [outboxKey, draftKey, wishesKey, believedKey, ownKey]) storage.removeItem(key(room));
}

/** As `forgetRoom`, and removes the pictures that wait in the browser's database. */
export async function forget(room: string) {
  forgetRoom(deviceStorage, room);
  await keptPictures(room).forget();
}
