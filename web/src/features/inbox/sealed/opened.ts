import { create } from "zustand";
import { type Conversation, useConversations } from "../ConversationsFeed";
import { type Note, useInbox } from "../inboxStore";

/**
 * Why the words of a sealed note aren't shown: they are being opened, this device lacks the key or the newest one, they
 * don't open, or one of the owner's words is in them.
 */
export type Closed = "opening" | "keyless" | "stale" | "broken" | "held";

/** A note as it is shown. If it is closed its words are empty. */
export type ShownNote = Note & { closed?: Closed };

/** A conversation as it is shown. If it is closed its words are empty; its newest line can be closed alone. */
export type ShownTalk = Conversation & { closed?: Closed; isLineClosed?: boolean };

/** What opening a note has given. */
export type Opened = { closed: Closed } | { words: string; onlyForYou: boolean; isHeld: boolean };

export type OpenedTalk = { closed: Closed } | { note: string; last?: string | undefined };

type OpenedNotes = { notes: Record<string, Opened>; talks: Record<string, OpenedTalk> };

export const nothingOpened: OpenedNotes = { notes: {}, talks: {} };

/** What was opened of sealed notes and conversations, by their ids. The lists themselves keep what the server has. */
export const useOpened = create<OpenedNotes>(() => nothingOpened);

/** Shows a note in spite of the owner's words, until the page is left. */
export function showHeld(id: string) {
  useOpened.setState(({ notes }) => {
    const opened = notes[id];
    return opened && "words" in opened ? { notes: { ...notes, [id]: { ...opened, isHeld: false } } } : {};
  });
}

export function shownNote(note: Note, opened: Opened | undefined): ShownNote {
  if (note.sealed === undefined) return note;
  if (!opened || "closed" in opened) return { ...note, message: "", closed: opened?.closed ?? "opening" };
  const { words, onlyForYou, isHeld } = opened;
  const shown = { ...note, message: words, only_for_you: note.only_for_you || onlyForYou };
  return isHeld ? { ...shown, message: "", closed: "held" } : shown;
}

export function shownTalk(talk: Conversation, opened: OpenedTalk | undefined): ShownTalk {
  const { note, last } = talk;
  if (note.sealed === undefined) return talk;
  const isOpen = opened !== undefined && "note" in opened;
  const words = isOpen ? opened : { note: "", last: undefined };
  const shown = {
    ...talk,
    note: { ...note, message: words.note },
    ...(last && { last: { ...last, message: words.last ?? "" }, isLineClosed: words.last === undefined }),
  };
  return isOpen ? shown : { ...shown, closed: opened?.closed ?? "opening" };
}

/** The notes that are listed, as they are shown. */
export function useShownNotes(): ShownNote[] {
  const opened = useOpened(({ notes }) => notes);
  const { notes, deletions } = useInbox();
  return notes
    .filter(({ id }) => deletions[id] !== "promised")
    .map((note) => shownNote(note, opened[note.id]));
}

/** The conversations as they are shown. */
export function useShownTalks(): ShownTalk[] {
  const opened = useOpened(({ talks }) => talks);
  return useConversations().conversations.map((talk) => shownTalk(talk, opened[talk.id]));
}
