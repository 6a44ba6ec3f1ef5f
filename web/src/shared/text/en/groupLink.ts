/** The words of a group's dialogs: what its creator can change, who is removed, who leaves, and who is told of it while it's closed. */
export const groupLink = {
  away: "Hear of messages while it’s closed",
  renew: {
    title: "Get a new link?",
    body: "No one new can join with the old link anymore. Everyone in the group stays. Share the new link to invite people.",
    action: "New link",
  },
  kick: {
    title: (name: string) => `Remove ${name} from the group?`,
    body: "They can’t come back with the same browser, and their seat will be free for someone else. Lock the group to stop new people joining.",
    withMessages: "Also delete everything they said here",
    action: "Remove",
  },
  lock: {
    title: "Lock this group?",
    body: "No one else can join until you unlock it. Current members stay.",
    action: "Lock",
  },
  leave: {
    title: "Leave this group?",
    body: "Your seat will be free for someone else. If you come back, you may get a different emoji.",
    action: "Leave",
  },
  allBut: (name: string) => `New group for all but ${name}`,
  done: "The old link no longer works. Copy the new one from the menu.",
};
