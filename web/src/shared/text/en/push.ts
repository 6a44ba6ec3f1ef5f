import * as limit from "@/shared/contract/limits";

/** The words about being told of things while no page is open. */
export const push = {
  title: "While this page is closed",
  body: `This browser can say that something has come: never its words, a name or a group’s name. You hear of each kind once in ${limit.PUSH_EVERY_SECONDS / 60} minutes at most.`,
  kinds: {
    note: "Someone left you a note",
    answer: "Someone wrote in a conversation",
    knock: "Someone knocks at a group",
    group: "A group of yours is talking",
  },
  /** For the one who wrote the note. */
  answered: "There’s an answer in this conversation",
  /** For a member of a group. */
  talking: "This group is talking",
  /** Offered once, where it makes sense. */
  offer: {
    of: {
      note: "Would you like to hear of new notes while this page is closed?",
      answer: "Would you like to hear of the reply while this page is closed?",
    },
    yes: "Tell me",
    no: "Not now",
  },
  quiet: "Quiet hours",
  quietMore: "Nothing is shown in this time, and it doesn’t come later.",
  from: "From",
  to: "Until",
  others: (count: number) =>
    count === 1 ? "One other browser is told, too." : `${count} other browsers are told, too.`,
  endOthers: "Stop telling the others",
  othersEnded: "Only this browser is told now",
  service:
    "Your browser’s maker learns that this device is told something, and when. Not what, and not from whom.",
  begun: "This browser tells you from now on",
  ended: "This browser doesn’t tell you any more",
  obstacles: {
    unsupported: "This browser can’t show anything while the page is closed.",
    uninstalled: "On an iPhone or iPad, first add this site to the Home Screen, and open it from there.",
    blocked: "This browser doesn’t allow it for this site. You can change that in the browser’s settings.",
    none: "This site doesn’t send anything to closed pages.",
  },
};
