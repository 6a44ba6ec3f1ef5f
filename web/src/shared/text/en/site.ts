import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import { Seats, seats, seatsAndOne } from "./numbers";

/**
 * The words of the public pages, by screen. Another language has an object of this shape in a folder beside this one.
 * Long reading matter (about, blog, terms, privacy) is in `reading.ts`, so that only the pages that show it load it.
 */
export const site = {
  product: siteName,
  actions: {
    signUp: "Sign Up",
    signIn: "Sign in",
    toInbox: "My Inbox",
    skipToContent: "Skip to content",
    ownRoom: "Create your own group",
    toStart: "Back to home",
    toLogin: "Go to login",
    retry: "Try again",
  },
  header: { label: "Main", menu: "Menu" },
  footer: {
    label: "Footer",
    getStarted: "Tour",
    about: "About us",
    blog: "Blog",
    feedback: "Feedback",
    report: "Report",
    terms: "Terms",
    privacy: "Privacy",
    imprint: "Imprint",
    contact: "Contact",
    promise: "No third-party content.",
  },
  aNote: "Anonymous Message",
  invite: "Send me one too",
  theme: { toDark: "Switch to dark mode", toLight: "Switch to light mode" },
  language: "Language",
  changeLanguage: "Change",
  loading: "Loading",
  landing: {
    title: `${siteName}: anonymous notes and short-lived group chats`,
    hero: {
      lead: "Say it without the",
      tag: "name tag",
      body: `${siteName} gives you a link of your own. Anyone who opens it can leave you a note, and nothing stored leads back to them. Want to talk it over? Create a group of ${seats} where everyone is an emoji.`,
      how: "See how it works",
      tour: "Take the tour",
      pile: "A pile of stickers: “Hello, my name is” tags with an emoji in place of the name, and an anonymous note.",
      hello: "HELLO",
      myNameIs: "my name is",
      note: "You explain things better than the book does. Please never stop.",
    },
    how: {
      title: "Share one link, get unsigned notes",
      steps: [
        {
          title: "Get your link",
          body: "All it takes is a username, your email and a password. It works right away.",
        },
        {
          title: "Put it where people will see it",
          body: `Anyone who opens it can write you ${limit.NOTE_MIN} to ${limit.NOTE_MAX} characters. No account needed.`,
        },
        {
          title: "Read it, and answer",
          body: "No one can look up who sent it. Those who’d like an answer get yours and can reply. Or answer on your page.",
        },
        {
          title: "Show off the good ones",
          body: "Turn a note into an image with your link on it, ready to post. Try it: write one yourself.",
        },
      ],
      places: ["your bio", "a story", "the class chat", "a slide"],
      username: "yourname",
      answers: "A note, your answer and what comes back; and a public answer:",
      talk: ["Thank you! Which part?", "The ending. I’ve told everyone since."],
      reply: "Always. The seat stays yours.",
      notes: ["That talk on Friday? I still think about it.", "You save me a seat every Monday 💛"],
      capture: "A note as an image to post:",
      try: "Your note, as an example",
    },
    rooms: {
      title: `${Seats} seats, ${seats} faces, no names`,
      points: [
        "Everyone gets a random emoji, and that’s all the others see. Only the group’s creator is named.",
        `${Seats} people fit. Number ${seatsAndOne} can’t read a thing.`,
        `After ${limit.ROOM_SHORT_LIFETIME_HOURS} or ${limit.ROOM_LIFETIME_HOURS} hours its messages, photos and seats are deleted.`,
      ],
      demoLabel: "A sample group chat between three emoji:",
      demoName: "midnight tacos",
      knock: "is knocking",
      letIn: "Let in",
      demo: [
        { emoji: "🐙", line: "Who’s still awake?" },
        { emoji: "🦊", line: "Me. Obviously." },
        { emoji: "🌵", line: "Wait, who’s the fox?" },
        { emoji: "🐙", line: "Nobody knows. That’s the fun of it." },
        { emoji: "🦊", line: "🌮🌮🌮" },
      ],
      seatsLabel: `${Seats} emoji on ${seats} seats`,
      seats: ["🦊", "🐙", "🌵", "👻", "🦉", "🍄", "🐝", "🐳", "🪩", "🐸"],
    },
    ledger: {
      title: "What stays and what doesn’t",
      keptTitle: "The server keeps",
      kept: [
        "Your username, your email and a hash of your password.",
        "Your notes, sealed with your account’s key.",
        "A group’s messages and photos, until the group ends.",
        "-+ IP addresses of those who are refused, in the operator’s log.",
      ],
      neverTitle: "The server doesn’t keep",
      never: [
        "Who sent a note.",
        "-- IP addresses, in no log and on no disk.",
        "Where and when a photo was taken.",
        "Tabs on you: nothing is loaded from other sites.",
      ],
      more: "Read it all on the privacy page",
    },
    join: { title: "Your link is one short form away" },
  },
  expired: {
    title: "Group expired",
    text: "Sorry, It Looks Like This Group Has Expired",
    body: `Groups last ${limit.ROOM_SHORT_LIFETIME_HOURS} or ${limit.ROOM_LIFETIME_HOURS} hours. Everything said in this one has been deleted.`,
  },
  roomFull: {
    title: "Group full",
    text: "Sorry, It Looks Like This Group Is Full Already",
    body: `A group has ${seats} seats, and they’re all taken.`,
  },
  roomLocked: {
    title: "Group locked",
    text: "This group is locked",
    body: "No one else can join until its creator unlocks it.",
  },
  roomKicked: {
    title: "Removed from the group",
    text: "You were removed from this group",
    body: "Its creator removed you. You can’t come back with this browser.",
  },
  roomLeft: { text: "You left the group", body: "Your seat is free for someone else." },
  missing: { heading: "Page not found", body: "Check the address for typos, or carry on from here." },
  error: { heading: "Oops", message: "Something went wrong." },
  unexpected: { heading: "Unexpected Application Error!", unknown: "Unknown error", stack: "Stack trace" },
};
