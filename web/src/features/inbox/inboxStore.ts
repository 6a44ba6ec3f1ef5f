import { create } from "zustand";
import type { Schemas } from "@/shared/api/api";
import type { Deletion } from "./Deletions";

export type Note = Schemas["NoteItem"];

/** Which notes are listed: all that are not archived, those with a star, or the archive. */
export type Shelf = "inbox" | "starred" | "archive";

/** `loading` and trouble are only about the first page. A list that is shown stays. */
export type Inbox = {
  status: "loading" | "ready" | "offline";
  /** Whether the socket is open, so that the list is up to date. */
  live: boolean;
  /** When the list was up to date. */
  asOf: number;
  shelf: Shelf;
  /** The notes of the shelf. */
  notes: Note[];
  /** The notes that the user has deleted and the server has not, by their ids. */
  deletions: Record<string, Deletion>;
  /** The server's count. `unreadOf` has the one to show. */
  unread: number;
  hasOlder: boolean;
  /** The last news, for screen readers. */
  news: string;
  /** Whether notes come in batches. */
  inBatches: boolean;
  /** Whether the owner takes no notes for now. */
  isPaused: boolean;
  /** For which words the owner's browser holds back notes that the server can't read; undefined until that is known. */
  heldWords?: readonly string[];
};

export const emptyInbox: Inbox = {
  status: "loading",
  live: false,
  asOf: 0,
  shelf: "inbox",
  notes: [],
  deletions: {},
  unread: 0,
  hasOlder: false,
  news: "",
  inBatches: false,
  isPaused: false,
};

export const useInbox = create<Inbox>(() => emptyInbox);

/** How many notes are unread. A deleted note doesn't count, although the server may still have it. */
export function unreadOf({ notes, deletions, unread }: Inbox): number {
  return Math.max(0, unread - notes.filter(({ id, seen }) => !seen && id in deletions).length);
}

/** Adds the newest page. Older notes that were loaded before stay if there is no gap between them and the page. */
export function withNewest(inbox: Inbox, page: Note[], unread: number, pageSize: number): Inbox {
  const isWhole = page.length < pageSize;
  const last = page.at(-1);
  const meets = isWhole || !last ? -1 : inbox.notes.findIndex(({ id }) => id === last.id);
  const older = meets === -1 ? [] : inbox.notes.slice(meets + 1);
  return {
    ...inbox,
    status: "ready",
    asOf: Date.now(),
    notes: [...page, ...older],
    unread,
    hasOlder: older.length > 0 ? inbox.hasOlder : !isWhole,
  };
}

export function withOlder(inbox: Inbox, page: Note[], pageSize: number): Inbox {
  const known = new Set(inbox.notes.map(({ id }) => id));
  const added = page.filter(({ id }) => !known.has(id));
  return { ...inbox, notes: [...inbox.notes, ...added], hasOlder: page.length === pageSize };
}

/** Adds a note from the socket, if it belongs to what is listed. A page that was fetched at the same time may already have it. */
export function withArrived(inbox: Inbox, note: Note, unread: number): Inbox {
  if (inbox.shelf !== "inbox") return { ...inbox, unread };
  const others = inbox.notes.filter(({ id }) => id !== note.id);
  return { ...inbox, notes: others.length === inbox.notes.length ? [note, ...others] : inbox.notes, unread };
}

export function withSeen(inbox: Inbox, id: string): Inbox {
  const unseen = inbox.notes.some((note) => note.id === id && !note.seen);
  return {
    ...inbox,
    notes: inbox.notes.map((note) => (note.id === id ? { ...note, seen: true } : note)),
    unread: Math.max(0, inbox.unread - (unseen ? 1 : 0)),
  };
}

/** The flags of a note, of which only those that are set are there. */
export type Flags = Pick<Note, "starred" | "archived">;

/** A note with other flags. It is only listed if it still belongs there, where it was or `at` the place it had. */
export function withFlags(inbox: Inbox, note: Note, { starred, archived }: Flags, at: number): Inbox {
  const { starred: _, archived: __, ...rest } = note;
  const flagged = { ...rest, ...(starred && { starred }), ...(archived && { archived }) };
  const belongs = { inbox: !archived, starred: starred === true, archive: archived === true }[inbox.shelf];
  const is = inbox.notes.findIndex(({ id }) => id === note.id);
  const notes = inbox.notes.filter(({ id }) => id !== note.id);
  return { ...inbox, notes: belongs ? notes.toSpliced(is === -1 ? at : is, 0, flagged) : notes };
}

/** A note with another public answer, or with none. */
export function withAnswer(inbox: Inbox, id: string, answer: Note["answer"]): Inbox {
  const change = ({ answer: _, ...note }: Note): Note => (answer ? { ...note, answer } : note);
  return { ...inbox, notes: inbox.notes.map((note) => (note.id === id ? change(note) : note)) };
}

/** The sentences about batches and a pause, and the words that hold back. Without an answer what is known stays. */
export function withSettings(inbox: Inbox, settings: Schemas["InboxSettings"] | undefined): Inbox {
  if (!settings) return { ...inbox, heldWords: inbox.heldWords ?? [] };
  const { batches: inBatches, paused: isPaused, held_words: heldWords } = settings;
  return { ...inbox, inBatches, isPaused, heldWords };
}

export function withDeletion(inbox: Inbox, id: string, to: Deletion | undefined): Inbox {
  const { [id]: _, ...others } = inbox.deletions;
  return { ...inbox, deletions: to ? { ...others, [id]: to } : others };
}

export function without(inbox: Inbox, id: string, unread: number): Inbox {
  const notes = inbox.notes.filter((note) => note.id !== id);
  return { ...withDeletion(inbox, id, undefined), notes, unread };
}
