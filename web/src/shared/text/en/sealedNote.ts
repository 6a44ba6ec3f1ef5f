/** The words for who sends a note to a sealed inbox. */
export const sealedNote = {
  mark: "Sealed",
  only: (name: string) => `Only ${name} can read it. This site can’t.`,
  about: (name: string) => ({
    heading: "Your note is sealed",
    lead: `Your browser locks your words before they leave it, with a key that ${name} has made. Only ${name}’s own devices can open them.`,
    protects: "The people who run this site, or take its disk, can’t read your note.",
    knows:
      "They can see that you sent one and when, how long it roughly is, and whether you’d like an answer.",
    check: "Check the code",
    not: [
      `It doesn’t protect from ${name}, who can read your note and show it to others.`,
      `It doesn’t protect if this site gives you another key. A whole link from ${name}, with a part behind the #, would show that.`,
      "It doesn’t protect if this site serves your browser other code.",
    ],
  }),
  otherKey: (name: string) =>
    `This link was made for another key than this page has for ${name}. Nothing is sent. Ask ${name} for a new link.`,
  notSealed: (name: string) =>
    `This link says that notes to ${name} are sealed, but the page doesn’t say so. Nothing is sent. Ask ${name} for a new link.`,
  cant: "This inbox takes sealed notes only. This browser can’t seal here: that needs a page that came by https.",
  cantPinned:
    "Your note should be sealed. This browser can’t seal here: that needs a page that came by https.",
  open: (name: string) =>
    `Your note won’t be sealed, because that needs a page that came by https. ${name} gets it, but the people who run this site could read it.`,
  turnedOff: (name: string) =>
    `Notes to ${name} aren’t sealed any more. Nothing was sent yet. Send it again if this site may read it.`,
  noKey: "The key of this inbox can’t be used. Nothing was sent.",
};
