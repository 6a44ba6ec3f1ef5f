import type { Draft } from "../model/chat";
import { keepDraft, keptDraft, type Storage } from "../storage";

const EMPTY: Draft = { words: "", replyTo: undefined };

/** What was typed in a room and not sent. */
export function readDraft(storage: Storage, room: string): Draft {
  const kept = keptDraft(storage, room) as Partial<Draft> | null;
  if (typeof kept?.words !== "string") return EMPTY;
  const { replyTo } = kept;
  return { words: kept.words, replyTo: typeof replyTo === "number" ? replyTo : undefined };
}

export function writeDraft(storage: Storage, room: string, draft: Draft) {
  const isEmpty = draft.words === "" && draft.replyTo === undefined;
  keepDraft(storage, room, isEmpty ? undefined : draft);
}
