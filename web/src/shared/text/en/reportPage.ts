/** The words of the page for reports from outside. */
export const reportPage = {
  receipt: {
    keep: "With this number you can see here whether someone has looked at your report:",
    heading: "Your report",
    label: "Number",
    submit: "See how it stands",
    states: {
      waits: "It’s waiting.",
      looked_at: "Someone has looked at it.",
      closed: "It’s closed.",
      unknown: "No report has this number, or it’s gone.",
    },
  },

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
};
