import * as limit from "@/shared/contract/limits";

const DAYS = limit.HELD_KEPT_SECONDS / (24 * 60 * 60);

/** The words of what an owner sets against spam and cruelty. */
export const shield = {
  pause: {
    name: "Take a break",
    more: "Your page says that you take no messages for now. Those you have stay.",
    on: "Your page takes no messages now",
    off: "Your page takes messages again",
  },
  mode: {
    name: "Proof against floods",
    more: "Who is asked to do a short sum before a message is sent. It slows down programs, and tells nothing about anyone.",
    of: { off: "Nobody", auto: "New senders, in a flood", always: "New senders, always" },
    saved: "Saved",
  },
  words: {
    name: "Words to hold back",
    more: (count: number) =>
      count === 0
        ? "Words and phrases that you don’t want to meet unprepared"
        : `${count} ${count === 1 ? "word or phrase" : "words and phrases"}`,
    title: "Words to hold back",
    body: `Messages with one of these wait under “Held back” for ${DAYS} days. Their senders aren’t told. Capitals make no difference, and parts of words don’t count.`,
    label: "One word or phrase a line",
    hint: `At most ${limit.HELD_WORDS}, each of at most ${limit.HELD_WORD_MAX} characters.`,
    save: "Save",
    saved: "Saved",
  },
  held: {
    name: "Held back",
    title: "Held back",
    body: `Messages with your words wait here for ${DAYS} days. Their senders don’t know.`,
    empty: "Nothing is held back.",
    show: "Show in inbox",
    shown: "It’s in your inbox now",
    waits: "It arrives with the next batch",
    remove: "Delete",
    older: "Show older",
    of: (action: string, when: string) => `${action}: the message from ${when}`,
  },
  block: {
    action: "Block the sender",
    title: "Block the sender of this message?",
    body: `Nothing they send from that browser reaches you any more, and they aren’t told. Messages you have already stay, and nobody can tell which of them are theirs. It works for ${limit.TAG_DAYS} days after a message came, and not against someone who uses another browser.`,
    confirm: "Block",
    done: "Blocked",
  },
  blocks: {
    name: "Blocked",
    more: "People you block, with the message that led to it",
    title: "Blocked",
    body: "Each one sent you the message beside it.",
    empty: "You aren’t blocking anyone.",
    gone: "A message you deleted",
    undo: "Unblock",
    undone: "Unblocked",
    of: (began: string, when: string) => `Unblock: ${began}, blocked ${when}`,
  },
};
