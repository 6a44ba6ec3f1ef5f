import * as limit from "@/shared/contract/limits";
import type { Row } from "@/shared/kept";
import { siteName } from "@/shared/siteName";
import { Seats, seats } from "./numbers";

/**
 * A heading, then paragraphs. A text that begins with "- " is a point of a list; one with "-+ " only where the operator
 * keeps addresses, and one with "-- " only where not.
 */
export type Section = [heading: string, ...texts: string[]];
export type Reading = { title: string; lead: string; sections: Section[] };
export type Post = { id: string; kind: string; title: string; paragraphs: string[] };

export type ReadingMatter = {
  about: Reading;
  privacy: Reading;
  imprint: Reading;
  /** The heading of the operator's own words, and what comes before their address. */
  ownWords: string;
  contact: string;
  forgetMe: { heading: string; body: string; action: string; done: string };
  /** What is kept, and how long. */
  kept: { heading: string; what: string; long: string; rows: Row[] };
  terms: Reading;
  blog: { title: string; lead: string; posts: Post[] };
};

export const reading: ReadingMatter = {
  about: {
    title: "About us",
    lead: `${siteName} does two things: it delivers notes that nobody signed, and it opens rooms that close themselves.`,
    sections: [
      [
        "Notes",
        "Some things are easier to say when your name isn’t attached: thanks that would be embarrassing, a question you think is stupid, the one remark that would have made the talk better. You share a link, people write, you read.",
        `A note has ${limit.NOTE_MIN} to ${limit.NOTE_MAX} characters: long enough to mean something, too short to bury anyone under.`,
      ],
      [
        "Groups",
        `A group is a room with ${seats} seats. Open its link while one is free, and you get a random emoji that is you until the room closes. That happens after ${limit.ROOM_LIFETIME_HOURS} hours, or after ${limit.ROOM_SHORT_LIFETIME_HOURS} if its creator chose so, and everything said in it goes too.`,
      ],
      [
        "How it’s made",
        "Annon is one program, written in Rust, that serves this web app and carries the notes and the chats. No other company is involved in showing you a page. The only other thing that leaves the server is email, to confirm an address or reset a password.",
      ],
    ],
  },
  privacy: {
    title: "Privacy",
    lead: "This page says what the server does with what it gets. It describes the program as it’s built, not our good intentions.",
    sections: [
      [
        "Your account",
        "- Stored: your username, your email address and a hash of your password (argon2id). The password itself is not.",
        `- Your email address is used to email you links: one that confirms it after you sign up, where this server sends email (it works once, for ${limit.CONFIRMATION_LIFETIME_SECONDS / 3600} hours), and a password-reset link when one is asked for (once, for ${limit.RESET_LIFETIME_SECONDS / 60} minutes). Someone who signs up with your address isn’t told whether you have an account; you’re told that they tried. If you turn that on, you also get one email a day at most that says how much is waiting for you: numbers, and no words.`,
        `- Signing in gives your browser a token that is good for ${limit.TOKEN_LIFETIME_SECONDS / 3600} hours. Logging out ends it right away; changing the password ends every other one.`,
        `- So that you can see where you’re signed in and end it, each sign-in is kept with the browser’s name and its system’s (“Firefox on Android”), the days on which it began and was last used, and when it ends: no address, no place. It’s sealed with your account’s key and goes a day after it ended. One from a browser that your account didn’t know stays until you say that it was you, or for ${limit.UNKNOWN_SIGN_IN_DAYS} days.`,
        `- Your browser keeps the token, and your username and email address, for those ${limit.TOKEN_LIFETIME_SECONDS / 3600} hours, each split in two: one half in a cookie (annon_token and _cache_), the other, which never leaves your device, in the browser’s own storage. Cookies travel with every page you open here, but half of these is only noise: someone who logs them on the way could tell that visits came from the same browser, not whose it is. The server doesn’t read them; the app sends the token itself, and only with calls that need an account.`,
        "- It also keeps a random word from your last sign-in, used at the next one and nowhere else: if someone is guessing at your password, it still lets you in. On its own it opens nothing.",
        "- Deleting the account also deletes its notes, groups, photos and tokens.",
        "- A keyed hash of its name and one of its address can stay in unused space of the server’s database. Nobody can read a name from it, but someone who takes the whole server could find out whether a name they already suspect once had an account.",
      ],
      [
        "Your browser",
        "- The app’s own files are kept, so it opens without a network. Nothing that anyone wrote is kept with them.",
        "- The language you choose is remembered for a year, in a cookie, so pages come in that language. Whether groups may make sounds and show notifications, and the emoji you added last, are remembered until you clear them; light or dark until you close the tab (for a day a cookie tells that you chose, not what).",
        "- Once it has offered to tell you of notes or replies while the page is closed, it remembers that it has.",
        `- For each group you made, your browser keeps your username for ${limit.TOKEN_LIFETIME_SECONDS / 3600} hours, split in the same way, in a cookie under the group’s ID. Logging out removes it, together with both halves of the sign-in.`,
      ],
      [
        "Notes",
        "- A note is stored with its text, the minute in which it came, and whether it has been read: opened, captured, or in view for four seconds when it’s short enough to be shown whole. Nothing stored ties it to the person who sent it.",
        "- Sending one needs no account, and your browser sends no cookie along with the note, not even when you are signed in. Opening the page you write it on does send cookies, as every page does; what is in them says nothing about your account. What you write there stays in that tab until you send it or close the tab. Without JavaScript your browser sends the note as a page is sent, with those same cookies, and the server reads nothing but the language from them.",
        `- The moment a note arrives can give away who wrote it: someone watching both you and their inbox might guess. So the seconds aren’t kept, and a note’s ID doesn’t reveal them either. Anyone can choose to get their notes in batches, every ${limit.BATCH_SECONDS / 60} minutes and in no particular order. If you want to be sure, don’t write while they can see you.`,
        `- So that someone who writes cruel notes can be blocked without anyone knowing who they are, your browser sends a tag with a note. It makes it from a random secret that never leaves your browser, so it’s a different one for each inbox. The server keeps a keyed hash of it, sealed beside the note, for at most ${limit.TAG_DAYS} days. For that time the server could tell that two notes in one inbox came from one browser, and nothing about notes to others. On its own it can’t tell which browser. But the secret is in yours: someone who has both the server and your browser, as a court might, could show that this browser wrote the note. “Forget me”, below on this page, puts an end to that. The server never tells the owner any of it. The hash of someone who is blocked stays on the owner’s list until they unblock them. That some browser with a tag wrote to an inbox, without saying which note, is kept for as long, even if the note is deleted.`,
        `- What can still be inferred: the person who gets your note sees what it says and, unless they chose batches, when it came. You can tell that it was read if they answer it. Everyone can see when someone is shown more than ${limit.FLOOD_NOTES} notes within minutes, because new senders’ browsers then have to do a short sum; so someone who sends that many, from several connections, can find out whether they’re blocked, or when someone’s next note comes. And while you send, the server sees your address and the moment; it keeps the minute and not the address, but another program in its place could keep both.`,
        `- An owner can hold back notes that contain certain words. They’re stored like other notes, and deleted after ${limit.HELD_KEPT_SECONDS / (24 * 60 * 60)} days if the owner doesn’t show them.`,
        "- Notes are sealed with a key that belongs to the account they were sent to. When the account is deleted that key is destroyed, and nothing on the server opens them again.",
        "- The device you read your inbox on keeps the newest page of it, so you can read that without a network. It’s sealed with a key that can’t be copied out of your browser. Both are deleted when you sign out, when your browser notices that you were signed out elsewhere, and when you delete your account. Anyone who uses your browser while you’re signed in can read it, as they can read your inbox.",
        `- If you seal your inbox, notes and what’s said about them are locked in the browsers at both ends, and the server can’t read them. It still sees when they come, how long they roughly are, and which are only for you. Your device keeps the key so that it can’t be copied out of your browser, until you log out, someone else signs in, or your browser notices that you were signed out elsewhere. The server keeps the key locked with your recovery code, which never leaves your devices; a key handed to another device waits ${limit.HANDOVER_KEPT_SECONDS / 60} minutes at most, locked with what’s in the QR code. Lose the devices and the code, and the notes can’t be read again. What you publish or report of them, the server gets. A server that sent you or the sender other code could read them, and so could one that gave another key to a sender whose link lacks its last part.`,
        "- Destroying a key means overwriting it on the disk. On disks that keep old copies on their own (flash, snapshots, some file systems), someone who takes the device apart may still find one for a while. The people who run the server choose the disk, and are warned about the kinds it recognises.",
      ],
      [
        "Public answers",
        "- The person who gets your note can answer it in public: your words and the answer then stand on their page, and at a link of their own, for anyone to read. When your note came isn’t shown, and neither is anything else about it.",
        "- If you tick “Only for” them, the server refuses to publish it. That choice is stored with the note. Nobody can keep a person from copying your words by hand.",
        "- They can take an answer down at any time. It’s gone from the page, the link and previews right away, and within an hour nothing readable of it is left on the server’s disk. It also goes with the note and the account. Search engines are asked not to list the link; copies that others have made stay theirs.",
        "- The line and the prompts that someone puts on their page are public, too. They’re sealed with the account’s key, and deleted with it.",
      ],
      [
        "Conversations",
        "- If you’d like an answer to your note, your browser makes a random secret and puts it into a private link, after the #. Browsers never send that part. From the secret it derives an ID and a key; the server keeps the ID and a hash of the key, nothing else about you, and compares when you come back.",
        "- Anyone who has the link has the conversation. Without it, neither you nor we can find it again.",
        "- The server can read what is said in a conversation, as it can read notes, unless the inbox was sealed when it began. Its note and its lines are sealed with a key of their own. What you unsend is gone from the disk right away; when either of you ends it, or its note or the account is deleted, the key is destroyed.",
        `- A conversation is deleted ${limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60)} days after its last line, or sooner if thousands that nobody has answered pile up in one inbox: then the one that was silent longest goes. The other side sees which of its lines you’ve seen.`,
        "- If you ask your browser to remember a private link, it keeps the link, whose inbox the note went to, when, and how far you’ve read, until you forget it or the conversation is over; of one that others ended it keeps for a week to whom it was, when, and that it ended. Every page but groups and conversations then asks the server once a minute whether there are answers, and shows the keys of those you remember together: so the server could tell that they’re remembered by one browser. Anyone who uses your browser can open them.",
      ],
      [
        "Groups",
        "- Your first visit to a group gives your browser one random cookie, so you keep your seat and your emoji. Scripts can’t read it. (If your browser blocks cookies, the page keeps your seat instead, for as long as its tab is open.) It can travel with the other pages you open here, too; nothing on the server ties it to an account.",
        "- The group stores a keyed hash of that cookie and its own ID instead of the cookie, so your seats in two groups can’t be matched to each other.",
        "- Your browser remembers the groups you’ve joined, to list them on the start page and beside your own groups: under each group’s ID its name, your emoji, when it ends and how many messages you’ve seen. That list never leaves your browser; the start page only asks whether each group still exists, without saying who asks. Forget removes a group from it, and so does leaving; groups that have ended are forgotten the next time you open one of those pages. Anyone who uses your browser can see the list.",
        "- A reaction is kept like a message: everyone in the group sees whose it is. Take it back, or remove its message, and its emoji is overwritten.",
        "- In a group that asks first, a knock is stored until the group ends: when it came, the emoji it was shown with, the creator’s answer, and the same keyed hash as a seat’s. The creator sees the emoji and nothing else. The members aren’t told who knocked or who was declined.",
        "- What you wrote or chose there and haven’t sent yet waits in your browser until it is sent, or until you open the group again after its end.",
        `- A group made on these pages ends after ${limit.ROOM_LIFETIME_HOURS} hours, or after ${limit.ROOM_SHORT_LIFETIME_HOURS}; for one made by a program, the people who run the server can set another time. Within an hour of its end, nothing readable of its messages, photos and seats is left on the server’s disk.`,
        "- People without a seat can’t read the members or the messages, even with the link. Anyone who takes one and reads is announced to the others.",
        "- What’s said in a sealed group, its photos and its name are locked in your browser with a key that stands in its link and is never sent here. The server keeps what it can’t read, and sees which emoji sends when, how long it roughly is, and reactions. Your browser keeps a key that it signs with until the group ends, and what you haven’t sent yet only locked. The key in the link is in your browser’s history, as every address is. A server that sent your browser other code could read it.",
        "- Anyone with the link can see the group’s name, the username of its creator, and when it was made.",
        "- Someone who was removed is recognised by their cookie only. With another browser they can come back, unless the group is locked.",
      ],
      [
        "Photos",
        "- Every photo is re-encoded on the server, including small ones and those sent with feedback. Place, camera, time and all other metadata are dropped.",
        "- A group’s photos are shown to its members only, and go when the group goes. On the server’s disk each is sealed with a key of its own; when the photo goes its key is overwritten, so nothing left of the file can be read.",
        "- Your browser keeps no copy of them on your device: those you have seen stay in memory while the group is open in a tab, so you can scroll back.",
      ],
      [
        "Reports",
        "- When someone reports a note, a conversation or messages of a group, the server copies the words they chose to show from its own record, the photos of those messages too, with what they added. It doesn’t keep who reported it; a conversation only says which side did. Of the number that they get, it keeps a keyed hash as long as the report. If the reported person has an account (the owner of a page, the creator of a group, the person the note went to), their username is with it.",
        `- A report is sealed with a key of its own, stays until the people who run this site close it, and is deleted ${limit.REPORT_KEPT_SECONDS / (24 * 60 * 60)} days after that. Until then it outlasts the note, the group or the account it’s about.`,
        "- A suspended account has the reason and the end of its suspension beside it. Both are deleted when it’s over, and with the account. Someone who deletes a suspended account leaves a keyed hash of its name and one of its confirmed address: until the suspension would have ended, nobody can sign up with them.",
      ],
      [
        "IP addresses and logs",
        "-- No IP address, cookie, token, message or recipient is written to a log or counted in a statistic.",
        "-+ The operator of this site keeps a log for keeping attackers out: when someone fails to sign in, is refused a sign-up, or is stopped for asking too often, it gets the time, what happened and their IP address. No other log has IP addresses, and none has a name, a cookie, a token, a message or a recipient.",
        "- To slow down abuse, the server counts attempts by address. It keeps the counts in memory under a keyed hash, and the key is replaced every day and never stored.",
      ],
      [
        "Other parties",
        "- Pages load nothing from any other site: no fonts, no scripts, no trackers, no advertising. The browser is told to refuse them.",
        `- When you follow a link out of ${siteName}, your browser doesn’t tell the other site which page you came from.`,
        "- If you let a browser tell you of notes, answers and your groups while no page is open, a company that the browser’s maker chose carries that: Google, Mozilla, Apple or Microsoft. It learns which of your devices is told something by this site, and when, up to half a minute late. It can’t read what it is, and no words, names or links of anyone are in it. The server keeps the address that your browser got from that company, your choices and the day, sealed with your account’s key, or with the conversation’s if you have no account here; for a group that you’re in, with the key of the account that created it. It’s forgotten when you switch this off, change your password in another browser, delete the account or the conversation, or when your seat in the group is gone; until that is deleted, old files on the server’s disk can still have it. For as long, the server could tell that a conversation and an account are told in the same browser, or two conversations.",
        "- Emails pass through the mail server that the people who run this site use, and through yours. Both see your address and what is in the email: your username and a link that works once, or how much is waiting for you.",
      ],
      [
        "Feedback",
        "- Feedback is stored with its words, when it came and the photo you add, sealed with a key of its own. Nothing is kept about who sent it, so write your address into it if you’d like an answer. The people who run this site read it, and delete it when they’re done.",
      ],
      [
        "Your rights",
        "- You can ask the people who run this site what is stored about your account, have a copy of it in a form that programs can read, and have it corrected or deleted. Most of that you can do yourself, in the settings and in your inbox.",
        "- What you sent without an account can’t be found by asking: nothing stored says that it’s yours. If you kept a conversation’s link, you can end it there, and a photo or message in a group you can unsend yourself.",
        "- If you think that your data is treated wrongly, you can also complain to the data protection authority of where you live.",
      ],
      [
        "What no program can promise",
        `Notes and chats that aren’t sealed are not end-to-end encrypted: the server has to read them to show them. The people who run the machine, or the network you’re on, can see that you use ${siteName}. Members can photograph their screen. The server may be backed up: what is deleted later stays in the backups, and anyone who has one can read it. And people who know you well may know your way of writing.`,
      ],
    ],
  },
  kept: {
    heading: "How long things are kept",
    what: "What",
    long: "How long",
    rows: [
      ["An account, with its username, email address and password hash", "until it’s deleted", "no-accounts"],
      [
        "An account, with its username, email address and password hash",
        `until it’s deleted, or {days} days after the month in which it was last used; ${limit.UNUSED_TOLD_BEFORE_SECONDS / (24 * 60 * 60)} days before, a confirmed address gets an email`,
        "accounts",
      ],
      ["In which month an account was last used", "until it’s used in another one, or deleted", "accounts"],
      [
        "Keyed hashes of the name and address of an account that was suspended when it was deleted",
        "until the suspension would have ended",
      ],
      ["A suspension, with its reason", "until it ends, or the account is deleted"],
      [
        "That you want an email a day, since when, and when it was last looked at",
        "until you turn it off, or the account is deleted",
      ],
      ["The line and prompts of a page", "until they’re changed; unreadable when the account is deleted"],
      ["A note", "until its recipient deletes it or the account", "no-notes"],
      [
        "A note",
        "{days} days, or as long as its conversation goes on, unless its recipient deletes it or the account before; its public answer goes with it",
        "notes",
      ],
      [
        "A note that is held back",
        `${limit.HELD_KEPT_SECONDS / (24 * 60 * 60)} days, unless its recipient shows or deletes it`,
      ],
      ["The keyed hash that tells a note from the same one sent again", "two days at most"],
      [
        "The keyed hash of a sender’s tag",
        `${limit.TAG_DAYS} days; of a blocked sender until they’re unblocked`,
      ],
      [
        "Words to hold back, blocks and other settings of an inbox",
        "until they’re changed, or the account is deleted",
      ],
      ["A public answer", "until it’s taken down, or its note or the account is deleted"],
      [
        "A conversation",
        `${limit.CONVERSATION_KEPT_SECONDS / (24 * 60 * 60)} days after its last line, or until either side ends it, or thousands of unanswered ones pile up`,
      ],
      [
        "A group with its messages, photos, links, seats and knocks",
        `${limit.ROOM_SHORT_LIFETIME_HOURS} or ${limit.ROOM_LIFETIME_HOURS} hours, and up to one hour more until nothing of it can be read`,
      ],
      ["Feedback, with its photo", "until the people who run this site delete it", "no-feedback"],
      ["Feedback, with its photo", "at most {days} days", "feedback"],
      ["A report", `${limit.REPORT_KEPT_SECONDS / (24 * 60 * 60)} days after it was closed`],
      ["An invitation", "until it’s used up, over or revoked"],
      [
        "A mailed link",
        `${limit.RESET_LIFETIME_SECONDS / 60} minutes to set a password, ${limit.CONFIRMATION_LIFETIME_SECONDS / 3600} hours to confirm an address, or until it’s used`,
      ],
      ["A sign-in", `${limit.TOKEN_LIFETIME_SECONDS / 3600} hours, or until you log out`],
      [
        "Which browser signed in, and on which days",
        `a day longer than the sign-in; from an unknown browser until you’ve seen it, at most ${limit.UNKNOWN_SIGN_IN_DAYS} days`,
      ],
      ["Counts of attempts by address, in memory", "at most a day"],
      ["IP addresses in the log for keeping attackers out", "at most {days} days", "events"],
      [
        "IP addresses in the log for keeping attackers out",
        "as long as the people who run this site keep them",
        "endless-events",
      ],
      ["Backups", "as long as the people who run this site keep them"],
    ],
  },
  contact: "You can reach the operator here:",
  ownWords: `From the operator of ${siteName}`,
  forgetMe: {
    heading: "Forget me",
    body: "Makes this browser forget the secret behind its tags. Inboxes that know it will take it for another one, and nobody who gets this device can show by it which notes it has sent.",
    action: "Forget me",
    done: "This browser has no tags now",
  },
  imprint: {
    title: "Imprint",
    lead: `Who runs ${siteName}, in their own words.`,
    sections: [],
  },
  terms: {
    title: "Terms",
    lead: `There isn’t much here, so there aren’t many rules. Using ${siteName} means agreeing to these.`,
    sections: [
      [
        "What you’re responsible for",
        "What you write is yours, and so is the responsibility for it. Your name isn’t shown, but the same laws still apply to you.",
      ],
      [
        "Don’t",
        "- threaten, harass or blackmail anyone, or reveal who they are against their will;",
        "- post anything that’s illegal where you are, above all sexual content involving minors;",
        "- flood inboxes or groups, by hand or with a program, or try to get around the limits;",
        `- pretend that ${siteName} or its makers wrote your message.`,
      ],
      [
        "Reporting",
        "Report what breaks these rules: a note from its menu in your inbox, a conversation from its menu, a message in a group from the message’s own menu, and any page from outside, without an account, on the page named Report. Messages that you report aren’t taken down by that: someone has to read the report first.",
        "The people who run this site can delete an account, close a group, or suspend an account for a while. While it’s suspended its page isn’t available, and it can’t create groups or write to anyone. Sign in, and your home page says why and until when. It ends without you having to do anything; you can read and delete what’s yours all along.",
      ],
      [
        "Your account",
        "You need an email address that works, or you can’t reset a forgotten password. Keep your password to yourself. You can delete your account in the settings at any time; it’s really deleted, not just hidden.",
      ],
      [
        "What you can’t count on",
        "Groups are made to disappear, and so are deleted accounts: you won’t get them back. The service is offered as it is. It may be interrupted, so don’t keep anything only here that you can’t afford to lose.",
      ],
      ["Getting in touch", "Use the feedback form. No account needed for that either."],
    ],
  },
  blog: {
    title: "Blog",
    lead: "Two posts so far: one from before the doors opened, one from the day they did.",
    posts: [
      {
        id: "launch",
        kind: "Launch",
        title: "The doors are open",
        paragraphs: [
          `Annon is up. Choose a username of ${limit.USERNAME_MIN} to ${limit.USERNAME_MAX} characters, and the link that ends in it is yours to share. Anyone who opens it sees a text box with room for ${limit.NOTE_MAX} characters and no field for a name.`,
          "Notes reach your inbox with the date and the time. New ones stay marked until you open them. You can delete each one, or all of them together with your account.",
          `Groups are open too. Give one a name, share its link, and up to ${seats} people get a seat, each behind a random emoji. Chat, reply, send a photo with a caption. After ${limit.ROOM_LIFETIME_HOURS} hours the group is deleted; choose ${limit.ROOM_SHORT_LIFETIME_HOURS} if that’s enough.`,
          "What happens to the data is on the privacy page, point by point. Its last section lists what we can’t promise. Please read that one too.",
          "If something is broken or missing, tell us in the feedback form, with a screenshot if it helps.",
        ],
      },
      {
        id: "before-launch",
        kind: "Pre-launch",
        title: "Why we are building a place for unsigned notes",
        paragraphs: [
          "Ask a room for honest feedback and you get polite feedback. Ask for it on paper, unsigned, folded once, and you get the truth, most of it kinder than feared. Annon is the folded paper.",
          "An anonymous service can fail in two ways. Either it isn’t anonymous: addresses in the logs, an ad company’s tracker on every page, the sender’s ID beside the message in the database. Or it keeps everything forever, and one leak is enough.",
          "So we started with what not to have. No sender and no IP address beside a note. No third party on any page. No photo that tells where it was taken. No chat that lingers when it’s over.",
          "Three decisions follow from that. Notes are sealed with a key for each account, so that once an account is deleted, nothing on the server opens its notes. A seat in a group is a keyed hash that differs from group to group, so nobody can follow a person from one to the next. And the limits that keep abuse out count under a key that’s replaced every day and never stored.",
          `${Seats} seats is a choice too. In a group of ${seats} you can be nobody in particular and still be heard.`,
        ],
      },
    ],
  },
};
