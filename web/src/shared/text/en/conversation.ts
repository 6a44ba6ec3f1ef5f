import * as limit from "@/shared/contract/limits";

const DAYS = limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60);
const answers = new Intl.PluralRules("en");

/** The words of conversations: the private link, the lists, and the page where two people talk. */
export const conversation = {
  sender: "Anonymous",
  /** "1 answer", "2 answers" */
  answers: (count: number) => `${count} ${answers.select(count) === "one" ? "answer" : "answers"}`,
  link: {
    heading: "Your private link",
    body: `The answer will show up here. Keep the link: we can’t find it for you again, and anyone who has it can read and write in this conversation. Everything is deleted ${DAYS} days after the last message.`,
    label: "Private link",
    copy: "Copy link",
    copied: "Private link copied",
    share: "Share",
    qr: {
      title: "Private link as a QR code",
      body: () => "Anyone who scans it can read and write in this conversation.",
    },
    remember: "Remember on this device",
    rememberMore:
      "Then this site shows you when there’s an answer. Anyone who uses this browser can see it, too.",
    leaving: {
      title: "Leave without your link?",
      body: "You haven’t saved it anywhere. Without it you won’t see the answer, and we can’t find it for you again.",
      leave: "Leave without it",
    },
    remembered: "This device remembers it and will show you when there’s an answer.",
    forget: "Forget",
    forgetHere: "Forget on this device",
  },
  kept: {
    heading: "Waiting for answers",
    lead: "Only this device knows about these.",
    to: (name: string) => `Your note to ${name}`,
    open: (name: string) => `Open the conversation with ${name}`,
    closed: "Closed",
    none: "No answer yet",
    read: "Answered, and you’ve read it",
    readElsewhere: "Answered, read elsewhere",
    ended: "Ended and deleted",
    forget: "Forget",
    forgetOne: (name: string) => `Forget the note to ${name}`,
    forgetTitle: (name: string) => `Forget your note to ${name}?`,
    forgetBody:
      "This device forgets the private link. Without the link, you can’t get back into the conversation.",
    forgetAll: "Forget all",
    forgetAllTitle: "Forget all your notes?",
    forgetAllBody:
      "This device forgets all these private links. Without a link, you can’t get back into its conversation.",
  },
  page: {
    title: "Private conversation",
    withSender: "Conversation about a note",
    youAre: { owner: "You’re the one who got the note", sender: "You’re anonymous" },
    about: (date: string) => `The note from ${date}`,
    whoever: {
      owner: "You’re talking to anyone who has the private link to this note.",
      sender: "Anyone who has the link can read and write here.",
    },
    kept: `Everything is deleted ${DAYS} days after the last message.`,
    closed: {
      owner: "You closed this conversation. It can still be read.",
      sender: (name: string) => `${name} closed this conversation. It can still be read.`,
    },
    waits: (name: string) =>
      `That’s ${limit.LINES_UNANSWERED} in a row. What you write now is sent when ${name} has answered.`,
    copy: "Copy private link",
    showQr: "Show as QR code",
    away: "Hear of an answer while it’s closed",
    share: "Share link…",
    close: {
      action: "Close",
      entry: "Close to new messages",
      title: "Close to new messages?",
      body: "Nothing more can be said in it, and it can’t be opened again. You can both still read it.",
    },
    report: "Report conversation",
    end: {
      action: "End and delete",
      entry: "End and delete for both",
      title: "End and delete this conversation?",
      body: "The note and everything you two said is deleted right away, for both of you. This can’t be undone.",
    },
    ended: {
      heading: "Conversation ended",
      body: "It’s deleted, for both of you.",
    },
    /** On the open page. `left`: the owner has no account any more. */
    endedByOther: {
      heading: "This conversation has ended",
      body: {
        owner: () => "The person who wrote the note ended it. It’s deleted, for both of you.",
        sender: (name: string) => `It was ended on ${name}’s side. It’s deleted, for both of you.`,
        left: (name: string) => `${name} has deleted their account, and the conversation with it.`,
      },
    },
    gone: {
      heading: "There’s no conversation here",
      body: "It may have ended or expired, or the link isn’t complete. We can’t tell which.",
    },
    keyless: {
      heading: "This link is missing its key",
      body: "The part after the # is the key, and only the whole link opens the conversation. Is it about a note you got? Then sign in.",
    },
    trouble: "Can’t reach the conversation",
    insecure: "Conversations need a secure connection. Open this page over https.",
  },
  mine: {
    heading: "Conversations",
    lead: "People who’d like an answer from you.",
    answer: "Answer",
    answerOne: (when: string) => `Answer the note from ${when}`,
    open: (words: string) => `Open the conversation about “${words}”`,
    unread: (count: number) => `${count > 99 ? "99+" : count} new`,
    asked: "Would like an answer",
    you: "You:",
    removed: "Message removed",
    closed: "Closed",
    answered: "Answered",
    ended: "Ended",
    older: "Load older conversations",
    arrived: "You have a new message in a conversation",
  },
};
