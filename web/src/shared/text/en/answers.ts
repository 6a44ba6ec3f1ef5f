import * as limit from "@/shared/contract/limits";

/** The words of public answers: in the inbox, on somebody's page, and on the page of one answer. */
export const answers = {
  title: (name: string) => `${name} answers a note`,
  heading: (name: string) => `${name} answers`,
  list: {
    heading: "Answered in public",
    older: "Older answers",
    open: (note: string) => `Answer to: ${note}`,
  },
  note: "The note",
  answer: "The answer",
  write: (name: string) => `Send ${name} a note`,
  all: (name: string) => `More from ${name}`,
  copy: "Copy link",
  copied: "Link copied",
  share: "Share",
  picture: "Save as image",
  preview: (note: string, answer: string) => `Image preview: ${note} – ${answer}`,
  gone: {
    heading: "No longer here",
    body: "There’s no answer at this address. It may have been taken down.",
  },
  later: { heading: "Couldn’t load this answer", body: "Try again in a moment." },
  mine: {
    publish: "Answer in public",
    onlyForYou: "Only for you: the sender asked you not to publish this note.",
    public: "Public",
    yours: "Your public answer",
    field: "Your answer",
    dialog: {
      name: "Publish answer",
      body: "Anyone can read the note and your answer on your page until you take it down.",
    },
    published: "Answer published",
    edit: "Edit answer",
    open: "Open page",
    takeDown: {
      action: "Take down",
      entry: "Take answer down",
      title: "Take this answer down?",
      body: "It disappears from your page right away, and its link stops working. The note stays in your inbox.",
      done: "Answer taken down",
    },
  },
  /** What people set up of their own page. */
  page: {
    name: "Your page",
    more: "A line about you, prompts for your visitors, and what may be published",
    body: "Anyone with your link sees this above and below the form.",
    line: { label: "About you", hint: `One line of up to ${limit.PAGE_LINE_MAX} characters.` },
    prompt: (n: string) => `Prompt ${n}`,
    promptHint: `For example: Ask me about my music. Up to ${limit.PROMPT_MAX} characters.`,
    onlyForYou: "Notes are only for me, unless their sender says otherwise",
    save: "Save your page",
    done: "Your page is saved",
  },
};
