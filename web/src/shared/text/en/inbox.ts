import * as limit from "@/shared/contract/limits";

/** The words of the inbox. */
export const inbox = {
  heading: "My Inbox",
  unread: "New",
  capture: (when: string) => `Capture as image: the note from ${when}`,
  expand: (when: string) => `Read the note from ${when}`,
  collapse: (when: string) => `Close the note from ${when}`,
  short: { capture: "Capture", captureMenu: "Capture as image", remove: "Delete" },
  star: (when: string) => `Star for the note from ${when}`,
  archive: {
    action: "Archive",
    undo: "Move to inbox",
    done: "Note archived",
    undone: "Back in your inbox",
    mark: "Archived",
  },
  shelves: {
    inbox: "Inbox",
    starred: "Starred",
    archive: "Archive",
    noStars: { heading: "No stars yet", body: "Tap a note’s star to find it here." },
    noArchive: {
      heading: "Nothing put away",
      body: "Notes you archive stay here, and come back if their sender writes again.",
    },
  },
  filter: "Show",
  search: {
    open: "Search",
    close: "Close search",
    label: "Search your notes",
    none: (wanted: string) => `Nothing here has “${wanted}” in it.`,
    loadedOnly: "Searches what’s loaded. Load older notes to search those, too.",
  },
  markAll: "Mark all as read",
  loading: "Loading your inbox",
  empty: "Nothing here yet. Share your link, and your first note will show up here.",
  emptyHeading: "All quiet",
  offline: (time: string) =>
    `You’re offline. This is your inbox as of ${time}; new notes will arrive when you’re back online.`,
  noAnswer: (time: string) =>
    `The server isn’t responding. This is your inbox as of ${time}; new notes will arrive when it’s back.`,
  waits: "Not possible until the server responds again.",
  older: "Load older notes",
  arrived: "You have a new anonymous note",
  batchArrived: "You have new anonymous notes",
  inBatches: `New notes arrive together every ${limit.BATCH_SECONDS / 60} minutes.`,
  emptyInBatches: `Nothing here yet. Share your link; new notes show up here every ${limit.BATCH_SECONDS / 60} minutes.`,
  removeAll: {
    action: "Delete all",
    title: "Delete all notes?",
    body: "All your notes are deleted right away, with their conversations and public answers, and any still waiting to be delivered. This can’t be undone.",
    done: "All notes deleted",
  },
  remove: {
    done: "Note deleted",
    undo: "Undo",
    later: "Couldn’t delete the note yet. It’ll be deleted as soon as the server responds.",
  },
  menu: {
    label: (when: string) => `More for the note from ${when}`,
    report: "Report note",
  },
  paused: { body: "You’re on a break: your page takes no notes for now.", resume: "Take notes again" },
  suspended: {
    heading: "Your account is suspended",
    until: (when: string) => `Until ${when}.`,
    why: (reason: string) => `Why: ${reason}`,
    what: "Until then your page isn’t available, and you can’t create groups or write in conversations. You can still read and delete what you have, change your password, and delete your account. Your groups carry on, but you can’t manage them.",
    terms: "Read the terms",
  },
  /** Before a picture is made of a note whose sender has asked for this. */
  onlyForYou: {
    mark: "Only for you",
    title: "Only for you",
    body: "The sender asked you to keep this note to yourself. Make an image of it anyway?",
    action: "Make image",
  },
  picture: {
    title: "Capture as image",
    shape: "Shape",
    shapes: { story: "Story", square: "Square" },
    theme: "Style",
    themes: { paper: "Paper", night: "Night", hot: "Hot", mint: "Mint" },
    preview: (words: string) => `Image preview: ${words}`,
    share: "Share",
    failed: "Couldn’t create the image.",
  },
};
