// Generated from store/src/limits.rs by `make wire`; don't edit.

/** Shortest name a person may sign up with. */
export const USERNAME_MIN = 6;

/** Longest name a person may sign up with. */
export const USERNAME_MAX = 16;

/** Longest e-mail address: the most an SMTP envelope can carry. */
export const EMAIL_MAX = 254;

/** Shortest password at sign-up and at a reset. */
export const SIGNUP_PASSWORD_MIN = 8;

/** Shortest name or address, and shortest password, worth trying to sign in with. */
export const LOGIN_MIN = 6;

/** Shortest password that may confirm an account's deletion. */
export const DELETE_PASSWORD_MIN = 5;

/** Shortest current and new password in the change form ("Password too short"). */
export const CHANGE_PASSWORD_MIN = 5;

/**
 * A new password must be longer than this to be accepted by the change form
 * ("Password do not match").
 */
export const CHANGE_PASSWORD_OVER = 5;

/** Longest password, in bytes: more costs hashing time and adds no safety. */
export const PASSWORD_MAX_BYTES = 128;

/** How long a sign-in lasts. */
export const TOKEN_LIFETIME_SECONDS = 7200;

/** How long a mailed password-reset link works. */
export const RESET_LIFETIME_SECONDS = 1800;

/** How many reset mails one account can cause in an hour. */
export const RESETS_PER_HOUR = 3;

/** How long a mailed link works that confirms an address. */
export const CONFIRMATION_LIFETIME_SECONDS = 86400;

/** How many mails to confirm its address one account can cause in an hour. */
export const CONFIRMATIONS_PER_HOUR = 3;

/**
 * How many mails sign-ups can cause in an hour to one address, by any caller:
 * enough that its owner still gets one while others play with it.
 */
export const SIGN_UP_MAILS_PER_HOUR = 6;

/**
 * How many wrong passwords one account takes, from all addresses together,
 * before all further ones count as wrong for a while.
 */
export const WRONG_PASSWORDS = 10;

/** The time in which as many tries come back. */
export const WRONG_PASSWORDS_PER_SECONDS = 900;

/**
 * How many signed-out tokens are remembered one by one. Above that, the next
 * sign-out ends every token of the account.
 */
export const REVOKED_TOKENS_MAX = 64;

/** Shortest anonymous note. */
export const NOTE_MIN = 10;

/** Longest anonymous note. */
export const NOTE_MAX = 280;

/** Most notes one inbox holds; then it refuses new ones until some are deleted. */
export const INBOX_NOTES = 10000;

/** Notes on a page of the inbox when the caller names no number. */
export const INBOX_PAGE = 50;

/** Most notes on one page of the inbox. */
export const INBOX_PAGE_MAX = 200;

/** How much time a batch of notes spans, in an inbox that takes batches. */
export const BATCH_SECONDS = 900;

/**
 * Notes one address may send to one inbox in an hour: as many as a class
 * behind one address would.
 */
export const NOTES_TO_ONE_PER_HOUR = 30;

/** Notes one address may send to one inbox in a day. */
export const NOTES_TO_ONE_PER_DAY = 100;

/** Live inbox sockets one account may hold open at once. */
export const INBOX_SOCKETS_PER_ACCOUNT = 16;

/** Shortest feedback. */
export const FEEDBACK_MIN = 10;

/** Longest feedback. */
export const FEEDBACK_MAX = 4000;

/** Most feedback kept; then the operator has to read some first. */
export const FEEDBACK_KEPT = 10000;

/** Shortest group name. */
export const ROOM_NAME_MIN = 4;

/** Longest group name. */
export const ROOM_NAME_MAX = 30;

/** Where a room's header cuts the name. */
export const ROOM_NAME_SHOWN = 20;

/** Groups one account may have alive at once. */
export const ROOMS_PER_ACCOUNT = 50;

/** Most members of a group. */
export const ROOM_MEMBERS = 10;

/** Longest chat message. */
export const CHAT_MAX = 255;

/** Longest caption of a picture. */
export const CAPTION_MAX = 100;

/** Length of a chat message's id, drawn from 62 letters and digits. */
export const CHAT_ID_LEN = 15;

/** How long a group lives unless its creator says otherwise, in hours. */
export const ROOM_LIFETIME_HOURS = 24;

/** The shorter life a creator can choose, in hours. */
export const ROOM_SHORT_LIFETIME_HOURS = 2;

/** Pictures one group holds. */
export const ROOM_PICTURES = 400;

/** Bytes of pictures one group holds. */
export const ROOM_PICTURE_BYTES = 67108864;

/** Lines of a group's history on a page when the caller names no number. */
export const ROOM_PAGE = 200;

/** Most lines on one page of a group's history. */
export const ROOM_PAGE_MAX = 500;

/** Fewest lines a group can be set up to keep. */
export const ROOM_MESSAGES_MIN = 1000;

/**
 * Bytes a group keeps for each line it is set up to keep. A line counts its
 * words and 128 bytes, so 255 Latin letters fit; when a group's lines come to
 * more together, the oldest go although they are not too many.
 */
export const ROOM_LINE_BYTES = 400;

/**
 * Fewest bytes of lines a group keeps, however few lines it is set up to
 * keep: well over a thousand of the longest.
 */
export const ROOM_BYTES_MIN = 2097152;

/** How long a claimed seat waits for its member's socket. */
export const SEAT_WAITS_SECONDS = 120;

/**
 * How long a member who has posted nothing may be away before their seat is
 * free for somebody else. A member who has posted keeps the seat.
 */
export const SEAT_LAPSES_SECONDS = 3600;

/** How long a message can be taken back. */
export const UNSEND_WITHIN_SECONDS = 300;

/** Longest side of a stored picture, in pixels. */
export const PICTURE_SIDE = 1080;

/** Longest side of the form that is shown first, and in quotes, in pixels. */
export const PICTURE_THUMB_SIDE = 100;

/** JPEG quality of a picture that the web app shrinks, in percent. */
export const PICTURE_QUALITY = 50;

/**
 * JPEG quality of a picture as the server stores it, in percent: higher, or
 * what was shrunk once would lose as much again.
 */
export const PICTURE_STORED_QUALITY = 75;

/** A file no larger than this is sent by the web app as it is, in bytes. */
export const PICTURE_KEPT_BYTES = 512000;

/** Largest picture file accepted, in bytes. */
export const PICTURE_MAX_BYTES = 5242880;

/**
 * Bytes of pictures that the living groups of one account hold together:
 * eight full groups.
 */
export const ACCOUNT_PICTURE_BYTES = 536870912;

/**
 * Bytes of pictures that one address has stored in an hour, as they are
 * kept: some 1,700 of the usual size, for a class behind one address.
 */
export const ADDRESS_PICTURE_BYTES = 268435456;

/**
 * All pictures together take one part in so many of the disk, unless the
 * operator says otherwise.
 */
export const PICTURES_SHARE = 4;

/** Largest width or height that is decoded at all, in pixels. */
export const PICTURE_MAX_SIDE = 4096;

/** Most memory one decoding may take, in bytes. */
export const PICTURE_MAX_MEMORY = 67108864;

/** Largest JSON body, except where a picture travels in it. */
export const JSON_MAX_BYTES = 16384;

/** How long a body may take to arrive whole. */
export const BODY_TIMEOUT_SECONDS = 15;

/** How long a body that carries a picture may take to arrive whole. */
export const PICTURE_BODY_TIMEOUT_SECONDS = 60;

/** Largest frame on a socket, in bytes. */
export const FRAME_MAX_BYTES = 16384;

/** How often the server pings a socket. */
export const SOCKET_PING_SECONDS = 15;

/** How long a socket may stay silent before it is closed. */
export const SOCKET_SILENCE_SECONDS = 40;

/**
 * Bytes that may wait for one slow reader, beyond what the kernel holds,
 * before there is no more for it.
 */
export const SOCKET_WAITING = 65536;

/** Names nobody can have, in lower case: no name may equal one of them in any mixture of cases. */
export const RESERVED: readonly string[] = [
  "about",
  "blog",
  "confirm",
  "error",
  "expired",
  "feedback",
  "getstarted",
  "homepage",
  "index",
  "login",
  "privacy",
  "reset",
  "room",
  "roomfull",
  "settings",
  "signup",
  "terms",
  "api",
  "assets",
  "healthz",
  "metrics",
  "readyz",
  "static",
  "apple-touch-icon",
  "favicon",
  "manifest",
  "robots",
  "security",
  "service-worker",
  "sitemap",
  "well-known",
  "admin",
  "administrator",
  "annon",
  "annonymous",
  "anonymous",
  "contact",
  "dashboard",
  "help",
  "inbox",
  "logout",
  "messages",
  "moderator",
  "official",
  "password",
  "profile",
  "register",
  "rooms",
  "search",
  "status",
  "support",
  "system",
  "undefined",
  "username",
];

/** The marks by which a text says in which direction it is read, for a class of a regular expression. */
export const DIRECTION_MARKS = "\u061c\u200e-\u200f\u202a-\u202e\u2066-\u2069";
