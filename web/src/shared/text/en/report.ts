/** The words about reports to the people who run the server: the dialogs, and the page for reports from outside. */
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
  lines: "Messages to show",
  line: (from: string, words: string) => `${from}: ${words}`,
  you: "You",
  photo: "A photo",
  why: "What’s wrong? (optional)",
  done: "Reported. Thanks for letting us know.",
  page: {
    heading: "Report",
    small: "something wrong here",
    lead: "Tell the people who run this site about a page that breaks the rules. No account needed, and nobody learns that it was you.",
    link: "Page or link",
    linkHint: "The address of someone’s page, of an answer on it, or of a group.",
    linkWrong: "That isn’t an address of a page here that can be reported.",
    conversation: "Open the conversation and report it from its menu.",
    why: "What’s wrong?",
    submit: "Send report",
    danger: "If someone is in danger, call your local emergency number.",
  },
};
