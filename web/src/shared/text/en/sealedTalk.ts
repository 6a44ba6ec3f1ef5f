/** The words of conversations that began with a sealed note. */
export const sealedTalk = {
  mark: "Sealed",
  about: {
    heading: "This conversation is sealed",
    lead: "Your browser locks what you say here before it leaves it. The private link opens it, and so do the devices of the one who got the note.",
    protects: "The people who run this site, or take its disk, can’t read what’s said here.",
    knows: "They can see which of you two writes when, how long it roughly is, and reactions.",
    check: "Check the code",
    not: [
      "It doesn’t protect from the one you’re talking to, who can show it to others.",
      "It doesn’t protect from anyone who has the private link, or a device on which it’s open.",
      "It doesn’t protect if this site serves your browser other code.",
    ],
  },
  unopened: "This message can’t be opened",
  locked: {
    insecure: {
      heading: "Can’t be opened here",
      body: "This conversation is sealed. This browser can’t open it here: that needs a page that came by https.",
    },
    keyless: {
      heading: "Sealed for your other devices",
      body: "This device doesn’t have the key of your inbox. Your recovery code opens it here.",
    },
    broken: {
      heading: "This can’t be opened",
      body: "The note that this conversation began with doesn’t open with the key of your inbox. It may have been sealed with another one.",
    },
    open: {
      heading: "This should be sealed",
      body: "This device remembers this conversation as a sealed one, but the site says it isn’t. Nothing is shown, and nothing is sent.",
    },
  },
};
