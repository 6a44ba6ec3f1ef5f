import * as limit from "@/shared/contract/limits";

const DAYS = limit.HELD_KEPT_SECONDS / (24 * 60 * 60);

/** The words of what an owner sets against spam and cruelty. */
export const shield = {
  pause: {
    name: "Take a break",
    more: "Your page says that you take no notes for now. The ones you have stay.",
    on: "Your page takes no notes now",
    off: "Your page takes notes again",
  },
  mode: {
    name: "Protection from spam",
    more: "Before a note is sent, the sender’s device has to do a short sum. It slows down programs and says nothing about anyone.",
    of: { off: "Never", auto: "For new senders, when a lot comes in", always: "For new senders, always" },
    saved: "Saved",
  },
  words: {
    name: "Words to hold back",
    more: (count: number) =>
      count === 0
        ? "Words and phrases that you don’t want to meet unprepared"
        : `${count} ${count === 1 ? "word or phrase" : "words and phrases"}`,
    title: "Words to hold back",
    body: `Notes with one of these wait under “Held back” for ${DAYS} days. Their senders aren’t told. Capitals make no difference, and parts of words don’t count.`,
    label: "One word or phrase a line",
    hint: `At most ${limit.HELD_WORDS}, each of at most ${limit.HELD_WORD_MAX} characters.`,
    save: "Save",
    saved: "Saved",
  },
  held: {
    name: "Held back",
    title: (count: string) => `Held back: ${count}`,
    body: `Notes with your words wait here for ${DAYS} days. Their senders don’t know.`,
    empty: "Nothing is held back.",
    show: "Show in inbox",
    shown: "It’s in your inbox now",
    waits: "It arrives with the next batch",
    remove: "Delete",
    older: "Show older",
    of: (action: string, when: string) => `${action}: the note from ${when}`,
  },
  block: {
    action: "Block the sender",
    title: "Block the sender of this note?",
    body: `Nothing they send from that browser reaches you until you unblock them, and they aren’t told. Notes you already have stay, and no one can tell which of them are theirs. You can block the sender of a note for ${limit.TAG_DAYS} days after it came; someone with another browser isn’t stopped.`,
    confirm: "Block",
    done: "Blocked",
  },
  seal: {
    name: "Seal your inbox",
    more: "So that only your devices can read your notes, and this site can’t",
  },
  blocks: {
    name: "Blocked",
    more: "People you block, with the note that led to it",
    title: "Blocked",
    body: "Each one sent you the note beside it.",
    empty: "You aren’t blocking anyone.",
    gone: "A note you deleted",
    undo: "Unblock",
    undone: "Unblocked",
    of: (began: string, when: string) => `Unblock: ${began}, blocked ${when}`,
  },
};
