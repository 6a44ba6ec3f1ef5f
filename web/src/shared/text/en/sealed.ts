/** The words about sealed groups. */
export const sealed = {
  unopened: "This message can’t be opened",
  missing: (emoji: string) => `Something that ${emoji} wrote before this is missing`,
  followed: (emoji: string) => `Something that ${emoji} wrote after this is missing`,
  misplaced: (emoji: string) => `${emoji} didn’t send this at this point`,
  unproved: (emoji: string) => `Nobody can check that ${emoji} wrote this`,
  rekeyed: (emoji: string) => `${emoji} has a new key: another browser, or someone else`,
  keyless: {
    heading: "Sealed",
    small: "the key is missing",
    missing: "This link is missing its key: the part behind the #.",
    wrong: "The key in this link doesn’t fit this group.",
    cant: "This browser can’t open it here: that needs a page that came by https.",
    more: "Only browsers with the key can read what’s said here. This site doesn’t have it. Ask for the whole link, or paste it here.",
    link: "The whole link",
    notWhole: "That isn’t the whole link of this group.",
    open: "Open the group",
  },
  about: {
    open: "Sealed",
    heading: "This group is sealed",
    lead: "Words, pictures and the group’s name are locked in the browser. The key is in the link, behind the #, and never reaches this site.",
    protects: "The people who run this site, or take its disk, can’t read what’s said here.",
    knows: "They can see which emoji sends when, how long it roughly is, and reactions.",
    check: "Check the code",
    not: [
      "It doesn’t protect from anyone in the group, or who has the link.",
      "It doesn’t protect from a lost phone on which the group is open.",
      "It doesn’t protect if this site serves your browser other code.",
    ],
  },
  choice: {
    name: "Seal it",
    more: "Only browsers with the link can read it, this site can’t. Lose the link, and nobody can open the group.",
  },
  allBut: {
    why: (name: string) =>
      `${name} has the key of this group, also once removed. If anyone passes on what’s said here, ${name} can read it.`,
    how: (name: string) =>
      `A new group gets the same name and a new key. It starts empty, and no one is told of it here: what’s sent here is locked with the key that ${name} has.`,
    share: (name: string) =>
      `Send this link to everyone but ${name}, in some other way than in the old group. That one stays until its time is up, or until you delete it.`,
  },
  made: "Keep this link: the part behind the # is the key. This site doesn’t have it, and can’t show it again.",
};
