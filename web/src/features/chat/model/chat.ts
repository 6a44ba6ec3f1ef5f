import type { Schemas } from "@/shared/api/api";

/**
 * What a room's screen draws. The model keeps this state true (`reduceAll`, the socket, what waits to be sent); what a
 * person can do in a room are `ChatRoom`'s methods.
 */

/** The emoji that a member is known by. */
export type Emoji = string;

/** Where a picture's two forms are, and how large the full one is once anybody knows. */
export type Picture = {
  full: string;
  tiny: string | null;
  width: number;
  height: number;
};

/** What a message answers, as it stands now: empty words were taken back. */
export type Quote = { sender: Emoji; words: string; seq: number; picture: string };

/**
 * What became of one's own message. A picture that is `waiting` goes out when the room is connected again. `failed` says
 * why, and stays until it is retried or dismissed.
 */
export type Delivery =
  | { state: "sent" }
  | { state: "sending" }
  | { state: "waiting" }
  | { state: "uploading"; percent: number }
  | { state: "failed"; why: string };

/**
 * When the line came while the reader looked on, by this device's clock: such a line is animated. An older line has
 * none.
 */
export type Arriving = { arrived?: number };

export type Message = Arriving & {
  kind: "message";
  /** Stable from the first moment on, so that a row keeps its place when the server has answered. */
  key: string;
  /** The sender's name for it. */
  id: string;
  /** Its place in the room's log; undefined until the server has it. */
  seq: number | undefined;
  sender: Emoji;
  mine: boolean;
  words: string;
  picture: Picture | null;
  reply: Quote | null;
  /** `hh:mm:ss.fff` UTC, or when it was written here, in milliseconds, until the server has said. */
  time: string | number;
  unsent: boolean;
  delivery: Delivery;
  /** Of a picture of one's own: from a second after both uploads have finished, for four seconds. */
  uploaded?: true;
};

/** What a system line tells: of somebody's seat, or of the door. */
export type Change =
  | { emoji: Emoji; became: "joined" | "left" | "removed" }
  | { locked: boolean }
  | { lost: true };

/** A system line; without `change` one that only a newer page can put into the reader's language. */
export type Notice = Arriving & {
  kind: "notice";
  key: string;
  seq: number;
  message: string;
  change: Change | undefined;
  time: string;
};

export type Line = Message | Notice;

/** How the connection stands: `back` for a moment after it was away. */
export type Connection = "connecting" | "live" | "reconnecting" | "offline" | "back";

/** Why there is nothing more to see here. */
export type Ending =
  | "expired"
  | "deleted"
  | "kicked"
  | "left"
  | "full"
  | "locked"
  /** The seat was free for others after a long absence. The group is still there, and perhaps another seat. */
  | "lapsed";

export type ChatState = {
  /** `expiresAt` is when it ends, by this device's clock, in milliseconds. */
  room: Pick<Schemas["RoomData"], "id" | "name" | "date" | "creator" | "locked"> & { expiresAt: number };
  me: Emoji;
  /** Whether the account signed in here made the room. */
  amCreator: boolean;
  /** Oldest first: what the server has, then what is on its way to it. */
  lines: Line[];
  /** Everybody with a seat, and who of them is connected now. */
  members: Emoji[];
  active: Emoji[];
  /** Everybody who is known to have had a seat. */
  emojis: ReadonlySet<Emoji>;
  /** Who is typing now, oneself left out, and until when that is shown. */
  typing: ReadonlyMap<Emoji, number>;
  connection: Connection;
  /** The newest place of the log that was applied. */
  lastSeq: number;
  messageCount: number;
  hasOlder: boolean;
  loadingOlder: boolean;
  /** The first line that came while nobody looked; the line "new" stands above it. */
  unreadFrom: string | undefined;
  unread: number;
  /** Whether one is meant in what came while nobody looked. */
  mentioned: boolean;
  ended: Ending | undefined;
  /** Places of messages that were taken back, should any copy of them still arrive. */
  unsent: ReadonlySet<number>;
  /** Where in the log `members` and `locked` were last told as a whole. */
  toldAt: number;
  /** The place of the last event of each seat; the lock's key is the empty string. */
  changedAt: ReadonlyMap<Emoji | "", number>;
  /** Whether what comes is seen as it comes. */
  looking: boolean;
};

/**
 * What was typed, and the place of the message it answers: not that message itself, whose words may be taken back
 * meanwhile.
 */
export type Draft = { words: string; replyTo: number | undefined };
