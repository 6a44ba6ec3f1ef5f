import { forgetGroup } from "@/shared/keptGroups";
import { forgetCreator } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import type { Draft } from "./model/chat";
import { keptPictures } from "./sending/keptPictures";

/** What of a room is kept on the device. The bare room id is not among the keys: it holds the visitor's emoji. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

const outboxKey = (room: string) => `annon.outbox.${room}`;
const draftKey = (room: string) => `annon.draft.${room}`;

/** What was said and isn't known to have arrived. */
export function keptOutbox(storage: Storage, room: string): unknown[] {
  const kept = readJson(storage, outboxKey(room));
  return Array.isArray(kept) ? kept : [];
}

export function keepOutbox(storage: Storage, room: string, entries: readonly unknown[]) {
  if (entries.length === 0) storage.removeItem(outboxKey(room));
  else storage.setItem(outboxKey(room), JSON.stringify(entries));
}

/** What was typed and not sent. */
export function keptDraft(storage: Storage, room: string): Draft {
  const { words, replyTo } = (readJson(storage, draftKey(room)) ?? {}) as Partial<Draft>;
  if (typeof words !== "string") return { words: "", replyTo: undefined };
  return { words, replyTo: typeof replyTo === "number" ? replyTo : undefined };
}

export function keepDraft(storage: Storage, room: string, draft: Draft) {
  if (draft.words === "" && draft.replyTo === undefined) storage.removeItem(draftKey(room));
  else storage.setItem(draftKey(room), JSON.stringify(draft));
}

/** The room has ended for this visitor: nothing of it stays, neither the emoji nor the cookie that says who made it. */
export function forgetRoom(storage: Storage, room: string) {
  forgetCreator(room);
  forgetGroup(storage, room);
  for (const key of [room, outboxKey(room), draftKey(room)]) storage.removeItem(key);
}

/** Takes everything of a room off the device: its emoji, who made it, what was written there, and the pictures. */
export async function forget(room: string) {
  forgetRoom(deviceStorage, room);
  await keptPictures(room).forget();
}

function readJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
