import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import { codes } from "./codes";
import { Seats, seats } from "./numbers";

/** The words of the screens behind the public pages: the account, the home, the inbox, the sender's page. */
export const app = {
  codes,
  more: "More",
  download: "Download",
  failure: {
    offline: "You’re offline. Check your connection and try again.",
    noAnswer: "The server isn’t responding. Try again in a moment.",
    signInAgain: "Please sign in to continue.",
  },
  notices: { label: "Notices", notCopied: "Couldn’t copy. Select the link and copy it yourself." },
  dialog: { close: "Close", cancel: "Cancel" },
  form: {
    closeError: "Close this message",
    showPassword: "Show password",
    hidePassword: "Hide password",
    strength: [
      "Very weak password",
      "Weak password",
      "So-so password",
      "Strong password",
      "Very strong password",
    ],
    count: (count: number, max: number) => `${count} of ${max}`,
  },
  feedback: {
    heading: "Tell us",
    small: "we read it all",
    lead: "What works, what doesn’t, what’s missing. No account needed, and we won’t know who you are.",
    words: "Your feedback",
    picture: "Add a photo",
    pictureHint: "JPEG, PNG or WebP. We remove where and when it was taken.",
    pictureAlt: "The photo you chose",
    removePicture: "Remove photo",
    changePicture: "Choose another",
    pictureType: "Choose a JPEG, PNG or WebP photo.",
    pictureUnreadable: "We couldn’t read that file as a photo.",
    submit: "Send feedback",
    done: "Feedback sent",
    doneMore: "Thank you. We’ve got it.",
  },
  settings: {
    title: "Settings",
    account: "Account",
    signedInAs: "Signed in as",
    look: "Appearance and language",
    unconfirmed: {
      notYet: "Not confirmed yet: open the link we emailed you. Until then, sign in with your username.",
      sendAgain: "Send the link again",
    },
    privacyMore: "What’s stored and what isn’t",
    advanced: "Advanced",
    notes: "Your notes",
    batches: {
      name: "Deliver in batches",
      more: `Notes arrive together every ${limit.BATCH_SECONDS / 60} minutes, so the time can’t give away who wrote one.`,
      on: `Notes now arrive every ${limit.BATCH_SECONDS / 60} minutes`,
      off: "Notes now arrive the moment they’re sent",
    },
    renewLink: {
      name: "Reset your link",
      more: "Resets the ID that apps use; your link stays the same",
      title: "Reset your link?",
      body: "For people, nothing changes. Apps that saved the ID behind your link must look it up again. Do this if one of them floods your inbox.",
      action: "Reset",
      done: "Your link has a new ID",
    },
    away: { name: "While this page is closed", more: "Hear of notes and answers in this browser" },
    signIns: { name: "Where you’re signed in", more: "Each browser, and signing it out" },
    changePassword: {
      name: "Change Password",
      more: "Signs you out on your other devices, which won’t tell you of anything new either",
      current: "Current password",
      next: "New password",
      confirmation: "Confirm new password",
      done: "Password Changed!",
    },
    deleteAccount: {
      name: "Delete Account",
      more: "Permanently, with everything in it",
      body: "Your account, your notes with their conversations and public answers, and your groups are deleted right away. This can’t be undone.",
      password: "Your password",
      done: "Account deleted",
    },
    logOut: {
      name: "Log Out",
      more: "On this device",
      title: "Are you sure you want to logout",
      done: "Logged out",
    },
  },
  home: {
    tabsLabel: "Your pages",
    tabs: { home: "Home", inbox: "Inbox", groups: "Groups" },
    unread: (count: number) => `${count} unread`,
    hello: (name: string) => `Hello, ${name}`,
    room: {
      title: "Create a group chat",
      body: `${Seats} seats, ${seats} emoji, no names. It deletes itself when time is up.`,
    },
    link: {
      title: "Your inbox link",
      body: "Anyone who opens it can leave you a note.",
      copy: "Copy link",
      copied: "Anonymous Chat Link Copied to Clipboard",
    },
    invite: {
      title: `Invite a friend to ${siteName}`,
      body: "It’s more fun when your friends have a link too.",
      copy: "Copy invite link",
      copied: "Link Copied to Clipboard",
    },
    share: {
      title: "Share your link",
      whatsapp: "WhatsApp",
      messenger: "Telegram",
      post: "Post on X",
      words: "Send me an anonymous note. I’ll never know it was you:",
      more: "More…",
    },
  },
  qr: {
    open: "QR code",
    own: {
      title: "Your link as a QR code",
      body: (address: string) => `Opens ${address}. Print it, project it, stick it on a door.`,
    },
    room: {
      title: "The group as a QR code",
      body: (address: string) => `Opens ${address}. Anyone who scans it can take one of the ${seats} seats.`,
    },
    alt: (address: string) => `QR code for ${address}`,
    png: "Download PNG",
    svg: "Download SVG",
  },
  rooms: {
    sealed: {
      name: "Sealed group",
      open: "Open it by its whole link: this site doesn’t have the key.",
    },
    askFirst: {
      name: "Ask me first",
      more: "Newcomers knock, and you let each of them in or not.",
      stop: "Stop asking me first",
      on: "Newcomers knock now",
      off: "Newcomers come in without knocking",
    },
    heading: "My Groups",
    loading: "Loading your groups",
    empty: "Sorry, no available rooms at the moment. Create one now",
    create: "Create Group",
    created: (date: string) => `Created ${date}`,
    open: (name: string) => `${name}, opens in a new tab`,
    share: "Share",
    shareOne: (name: string) => `Share ${name}`,
    qrOne: (name: string) => `QR code for ${name}`,
    removeOne: (name: string) => `Delete ${name}`,
    copied: "Group link copied to clipboard",
    removal: {
      title: (name: string) => `Delete “${name}”?`,
      body: "Everyone is disconnected right away, and all messages and photos of this group are deleted.",
      action: "Delete",
      done: "Group deleted",
    },
    left: (time: string) => `${time} left`,
    hoursAndMinutes: (hours: number, minutes: number) =>
      hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`,
    seats: (active: number, seats: number, all: number) => {
      if (seats === 0) return "No one’s joined yet";
      const here = active === 0 ? "No one here now" : `${active} here now`;
      return `${here}, ${seats} of ${all} seats taken`;
    },
    unread: (count: number) => `${count > 99 ? "99+" : count} new`,
    joined: {
      heading: "Groups you’ve joined",
      lead: "Only this device knows about these.",
      forget: "Forget",
      forgetOne: (name: string) => `Forget ${name}`,
      forgetTitle: (name: string) => `Forget “${name}”?`,
      forgetBody:
        "This device forgets the group, your emoji and what you haven’t sent. You’ll need its link to come back. Your messages stay until the group ends.",
    },
  },
  newRoom: {
    title: "Create a group",
    heading: "New group",
    small: `${seats} seats, no names`,
    lead: "Give it a name and share its link.",
    open: "Anyone who opens it is in, as long as there’s a free seat.",
    name: {
      label: "Group name",
      hint: `${limit.ROOM_NAME_MIN} to ${limit.ROOM_NAME_MAX} characters. Anyone with the link can see it.`,
    },
    wand: "Suggest a name",
    lifetime: "Lasts",
    hours: (hours: number) => `${hours} hours`,
    notices: {
      label: "Good to know",
      members: `A group has at most ${seats} members.`,
      emojis: "Each member gets a random emoji.",
      end: (hours: number) =>
        `The group is deactivated after ${hours} hours, and everything in it is deleted.`,
    },
    done: {
      heading: "Doors open",
      lead: (name: string, hours: number) => `“${name}” is open for ${hours} hours. Share this link:`,
      copy: "Copy",
      open: "Open Group",
      another: "Create another group",
    },
  },
};
