/** The words of the dialogs for reports to the people who run the server. */
export const report = {
  note: {
    name: "Report note",
    body: "The people who run this site get the words of the note and what you add. They aren’t told whose inbox it’s in.",
  },
  conversation: {
    name: "Report conversation",
    body: {
      owner:
        "The people who run this site get the note, the messages you choose, and what you add. They aren’t told whose inbox it’s in.",
      sender:
        "The people who run this site get the note, the messages you choose, and what you add. They also see whose inbox it’s in.",
    },
  },
  room: {
    name: "Report messages",
    body: "The people who run this site get the messages you choose, with their photos, and what you add, and see who made the group. They aren’t told which member you are.",
  },
  sealed: {
    name: "Report messages",
    body: "The people who run this site can’t read this group. They get the words of the messages you choose, without photos, and what you add, and see who made the group. They aren’t told which member you are.",
  },
  lines: "Messages to show",
  line: (from: string, words: string) => `${from}: ${words}`,
  you: "You",
  photo: "A photo",
  why: "What’s wrong? (optional)",
  done: "Reported. Thanks for letting us know.",
  /** Of the number by which somebody can ask how it stands. */
  number: (number: string) => `Its number, for the page /report: ${number}`,
};
