/**
 * The app's words, by screen. A second language is a second object of this shape; long reading matter (about, blog,
 * terms, privacy) is in `enReading.ts`, so that only the pages that show it load it.
 */
export const en = {
  product: "Annon",
  actions: {
    signUp: "Sign Up",
    signIn: "Sign in",
    skipToContent: "Skip to content",
    toStart: "Back to the start",
    toLogin: "Go to login",
    retry: "Try again",
  },
  header: {
    label: "Main",
    blog: "Blog",
    about: "About us",
    feedback: "Feedback",
  },
  footer: {
    label: "Footer",
    tour: "Tour",
    about: "About us",
    blog: "Blog",
    feedback: "Feedback",
    terms: "Terms",
    privacy: "Privacy",
    promise: "Everything on this page came from this site.",
  },
  theme: {
    toDark: "Switch to dark",
    toLight: "Switch to light",
  },
  language: "Language",
  loading: "Loading",
  landing: {
    title: "Annon: anonymous notes and short-lived group chats",
    hero: {
      lead: "Say it without the",
      tag: "name tag",
      body: "Annon gives you a link of your own. Whoever opens it can leave you a note: no account, no name, nothing stored that leads back to them. To talk it over, open a group of ten in which everyone is an emoji.",
      how: "See how it works",
      tour: "Take the tour",
      pile: "A heap of stickers: name tags that say hello, my name is, with an emoji where the name would be, and an anonymous note.",
      hello: "HELLO",
      myNameIs: "my name is",
      noteTitle: "Anonymous Message",
      note: "You explain it better than the book does. Please never stop.",
    },
    how: {
      title: "Hand out one link, get unsigned notes",
      steps: [
        {
          title: "Get your link",
          body: "A username, an email address and a password. Your link is the username, and it works at once.",
        },
        {
          title: "Put it where people look",
          body: "Whoever opens it can write 10 to 280 characters. They need no account, and none is asked for.",
        },
        {
          title: "Read what they left",
          body: "Each note comes to your inbox with a date and a time. There is no sender to look up.",
        },
      ],
      places: ["your bio", "a story", "the class chat", "a slide"],
      username: "yourname",
      unread: "New",
      sample: "That talk on Friday? I still think about it.",
    },
    groups: {
      title: "Ten seats, ten faces, no names",
      points: [
        "Whoever opens the link is given a random emoji, and the others see no more. Only the group’s creator is named, by username.",
        "Ten people fit. The eleventh finds the door shut and reads nothing.",
        "A group lasts 24 hours, or 2 if you would rather. Then its messages, pictures and seats are deleted.",
      ],
      sampleLabel: "An example of a group chat between three emoji",
      sampleName: "midnight tacos",
      sampleCount: "10 of 10",
      sample: [
        { face: "🦊", line: "Who is still awake?" },
        { face: "🐙", line: "Me. Obviously." },
        { face: "🌵", line: "Wait, who is the fox?" },
        { face: "🐙", line: "Nobody knows. That is the fun of it." },
      ],
      seatsLabel: "Ten emoji on ten seats",
      seats: ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸"],
    },
    ledger: {
      title: "What stays and what doesn’t",
      keptTitle: "The server keeps",
      kept: [
        "Your username, your email address and a hash of your password.",
        "Your notes, sealed with a key that belongs to your account. Delete the account and the key is destroyed.",
        "A group’s messages and pictures, until the group ends.",
      ],
      neverTitle: "The server doesn’t keep",
      never: [
        "The sender of a note. Nothing stored ties the two together.",
        "Network addresses. None is written to a log or to disk.",
        "The place a picture was taken. Every picture is drawn again and its metadata dropped.",
        "Company. No script, font or counter is loaded from another site.",
      ],
      more: "All of it, on the privacy page",
    },
    join: {
      title: "Your link is one short form away",
    },
  },
  expired: {
    title: "Group expired",
    text: "Sorry, It Looks Like This Group Has Expired",
    body: "Groups last 24 hours, or 2. What was said in this one has been deleted.",
  },
  roomFull: {
    title: "Group full",
    text: "Sorry, It Looks Like This Group Is Full Already",
    body: "A group has ten seats, and all of them are taken.",
  },
  roomLocked: {
    title: "Group locked",
    text: "This group is locked",
    body: "Nobody new can come in. Its creator can open it again.",
  },
  roomKicked: {
    title: "Removed from the group",
    text: "You were removed from this group",
    body: "Its creator took your seat back.",
  },
  roomLeft: {
    title: "You left the group",
    text: "You left the group",
    body: "Your seat is free again.",
  },
  error: {
    title: "Oops",
    heading: "Oops",
    message: "Something went wrong.",
  },
  unexpected: {
    title: "Unexpected Application Error!",
    heading: "Unexpected Application Error!",
    unknown: "Unknown error",
    stack: "Stack trace",
  },
};
