/** The words of a personal page: the form, and what follows. */
export const note = {
  title: (name: string) => `Send ${name} an anonymous note`,
  heading: "Psst",
  small: (name: string) => `a note to ${name}`,
  lead: "Say what you wouldn’t put your name to. No account, no name, nothing stored that leads back to you.",
  words: "Your anonymous note",
  placeholder: "Say it…",
  answer: {
    name: "I’d like an answer",
    more: "You get a private link for it. Your note stays anonymous.",
  },
  onlyForYou: {
    name: (name: string) => `Only for ${name}`,
    more: (name: string) => `${name} can’t publish it, and is asked before making an image of it.`,
  },
  prompts: { label: "Not sure what to write?", none: "Write something else" },
  paused: { heading: "On a break", body: "Come back another day." },
  plain: {
    sealed: (name: string) =>
      `${name} takes sealed notes only. Your browser seals them with a script, and scripts are off.`,
    unsealed: (name: string) =>
      `Scripts are off, so your note won’t be sealed: the people who run this site could read it. With scripts only ${name} can.`,
  },
  submit: "Send it",
  sent: (name: string) => `Anonymous Message Sent to ${name}`,
  left: (name: string) =>
    `${name} has deleted their account. What you wrote is still here, so you can copy it.`,
  own: "Get your own link",
  another: "Send another",
  next: {
    heading: "Now get your own",
    body: "Make a link of your own. It takes less time than the note you just wrote.",
    steps: [
      { title: "Pick a username", body: "It’s all a sender ever learns about you." },
      { title: "Share your link", body: "In your bio, a story, a chat or on a slide." },
      { title: "Read your notes", body: "They reach your inbox the moment they’re sent." },
    ],
  },
  ownPage: {
    title: "Your page",
    heading: "This page is yours",
    lead: "Everyone else finds a form for a note to you here.",
    asOthers: "See it as others do",
  },
};
