import type { Schemas } from "@/shared/api/api";
import type { Pair } from "./pair";
import type { Reacted, Wished } from "./reactions";

/**
 * What a room's screen draws. `reduceAll` changes this state after frames, and `transitions.ts` has the other changes;
 * `ChatRoom` has the methods for what a person can do in a room.
 */

/** The emoji that a member is known by. */
export type Emoji = string;

/** The addresses of a picture's two forms, and the size of the full one; 0 while it is not known. */
export type Picture = {
  full: string;
  tiny: string | null;
  width: number;
  height: number;
};

/** The most pictures that can be sent together. */
export const PICTURES_TOGETHER = 10;

/** The message that another one answers, as it is now. Without words and picture it was taken back. */
export type Quote = { sender: Emoji; words: string; seq: number; picture: string; id?: string };

/**
 * How far a message of one's own is. A picture that is `waiting` is sent when the room is connected again. A message
 * that `failed` stays until it is retried or dismissed.
 */
export type Delivery =
  | { state: "sent" }
  | { state: "sending" }
  | { state: "waiting" }
  | { state: "uploading"; percent: number }
  | { state: "failed"; why: string };

/** When the line came, by this device's clock, if the reader saw the end then. Only a line that has it is animated. */
export type Arriving = { arrived?: number };

export type Message = Arriving & {
  kind: "message";
  /** The same before and after the server has answered, so that React keeps the row. */
  key: string;
  /** Chosen by the sender. */
  id: string;
  /** Its place in the room's log; undefined while it is pending, which is until the server has it. */
  seq: number | undefined;
  sender: Emoji;
  mine: boolean;
  words: string;
  picture: Picture | null;
  reply: Quote | null;
  /** From the server: `hh:mm:ss.fff` UTC. Before that: when it was written here, in milliseconds. */
  time: string | number;
  /** Whether it was sent and then taken back. */
  retracted: boolean;
  /** In a sealed group: it doesn't open, or isn't its sender's, and its words say so. */
  unopened?: true | undefined;
  /** The same: what is not certain about it, in a sentence. */
  doubt?: string | undefined;
  delivery: Delivery;
  /** For a picture of one's own: set a second after both uploads have finished, for four seconds. */
  uploaded?: true;
};

/** What a system line says: what became of a seat, that the room was locked or unlocked, or that events are lost. */
export type Change =
  | { emoji: Emoji; became: "joined" | "left" | "removed" }
  | { locked: boolean }
  | { lost: true };

/** A system line. Without `change` this app does not know its kind, and shows the server's English `message`. */
export type RoomNotice = Arriving & {
  kind: "notice";
  key: string;
  seq: number;
  message: string;
  change: Change | undefined;
  time: string;
};

export type Line = Message | RoomNotice;

/** The state of the connection. After an interruption it is `back` for a moment, then `live`. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline" | "paused" | "back";

/** Whether what the server says of this moment is true: who is connected, for example. */
export function isConnected({ connection }: Pick<ChatState, "connection">): boolean {
  return connection === "live" || connection === "back";
}

/** Why the room is over for this visitor. */
export type Ending =
  | "expired"
  | "deleted"
  | "kicked"
  | "left"
  | "full"
  | "locked"
  /** After a long absence the seat was given away. The group is still there and may have another free seat. */
  | "lapsed";

export type ChatState = {
  /**
   * `expiresAt` is when the room ends, by this device's clock, in milliseconds; infinite if only the server knows.
   * `askFirst` is whether newcomers knock. `link` is what stands in the group's link now.
   */
  room: Pick<Schemas["RoomData"], "id" | "link" | "name" | "date" | "creator" | "locked"> & {
    expiresAt: number;
    askFirst: boolean;
    /** Of a sealed group: what stands in its link behind the "#". */
    key: string | undefined;
  };
  me: Emoji;
  /** Whether the account that is signed in here created the room. */
  amCreator: boolean;
  /** First the lines that the server has, oldest first; then own messages that are pending. */
  lines: Line[];
  /** `members` have a seat; those in `active` are connected now. */
  members: Emoji[];
  active: Emoji[];
  /** Everybody who is known to have, or to have had, a seat. */
  emojis: ReadonlySet<Emoji>;
  /** The others who are typing, each with the time until which that is shown. */
  typing: ReadonlyMap<Emoji, number>;
  connection: ConnectionState;
  /** The `seq` of the newest event that was applied. */
  lastSeq: number;
  messageCount: number;
  hasOlder: boolean;
  loadingOlder: boolean;
  /** The key of the first unread line. The mark "new" is drawn above it. */
  unreadFrom: string | undefined;
  unread: number;
  /** Whether an unread message mentions the reader. */
  mentioned: boolean;
  ended: Ending | undefined;
  /** What was typed and not sent when it ended. */
  unsent: string;
  /** The `seq` of each message that was taken back, because an older copy of it may still arrive. */
  retracted: ReadonlySet<number>;
  /** The reactions to messages, by the `seq` of each. Some of the messages may not be loaded. */
  reacted: ReadonlyMap<number, Reacted>;
  wished: Wished;
  /** The `seq` of the page that `members` and `locked` were last taken from. */
  seatsAt: number;
  /** The `seq` of the last change of each member's seat. The key `""` is for the lock. */
  changedAt: ReadonlyMap<Emoji | "", number>;
  /** Whether the reader sees new lines as they come. */
  seesEnd: boolean;
  /** Undefined in a group. */
  pair: Pair | undefined;
};

/** Reads and changes the state, for the parts of `ChatRoom` that do both. */
export type StateHandle = {
  read: () => ChatState;
  update: (change: (state: ChatState) => ChatState) => void;
};

/** What was typed, and the `seq` of the message it answers. Not that message: it may be taken back in the meantime. */
export type Draft = { words: string; replyTo: number | undefined };
