/** The words about groups that ask first: for the creator, and for a visitor at the door. */
export const knock = {
  door: {
    heading: "Knock knock",
    small: "ask first",
    lead: (creator: string) => `${creator} lets people into this group one by one.`,
    sees: "They see that someone is at the door, and an emoji. Nothing else.",
    action: "Knock",
  },
  waiting: {
    heading: "Waiting",
    small: "at the door",
    lead: "You’re in as soon as you’re let in. You can reload this page, but keep it open.",
    emoji: (emoji: string) => `You’re ${emoji}`,
    hint: "If you know who made the group, tell them which emoji is yours.",
  },
  declined: { heading: "Not now", small: "declined", lead: "You weren’t let in." },
  lapsed: {
    heading: "No answer",
    small: "time’s up",
    lead: "Nobody opened the door in time.",
  },
  again: "Knock again",
  list: {
    heading: "At the door",
    one: (emoji: string) => `${emoji} is knocking`,
    at: (emoji: string, room: string) => `${emoji} is knocking at ${room}`,
    admit: "Let in",
    admitAll: "Let all in",
    admitOne: (emoji: string) => `Let ${emoji} in`,
    decline: "Decline",
    declineOne: (emoji: string) => `Decline ${emoji}`,
    waiting: (count: number) => (count === 1 ? "1 at the door" : `${count} at the door`),
  },
};
