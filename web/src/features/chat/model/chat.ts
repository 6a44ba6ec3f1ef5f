/**
 * What a room's screen is made of: the state it draws and what a person can do in it. The model keeps the state true
 * (`reduce`, the socket, the outbox); the screen draws it and calls the actions. Neither knows more of the other.
 */

/** A member, as everybody sees them. */
export type Face = string;

/** Where a picture's two forms are, and how large the full one is once anybody knows. */
export type Picture = {
  full: string;
  tiny: string | null;
  width: number;
  height: number;
};

/** What a message answers, as it stands now: empty words were taken back. */
export type Quote = { sender: Face; words: string; seq: number; picture: string };

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

/** When it came or was sent while one looked on, by this device's clock: it moves in. What was there before has none. */
type Arriving = { arrived?: number };

export type Message = Arriving & {
  kind: "message";
  /** Stable from the first moment on, so that a row keeps its place when the server has answered. */
  key: string;
  /** The sender's name for it. */
  id: string;
  /** Its place in the room's log; undefined until the server has it. */
  seq: number | undefined;
  sender: Face;
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
export type Change = { face: Face; became: "joined" | "left" | "removed" } | { locked: boolean };

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

export type RoomInfo = {
  id: string;
  name: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  date: string;
  creator: string;
  /** When it ends, by this device's clock, in milliseconds. */
  expiresAt: number;
  locked: boolean;
};

export type ChatState = {
  room: RoomInfo;
  me: Face;
  /** Whether the account signed in here made the room. */
  amCreator: boolean;
  /** Oldest first: what the server has, then what is on its way to it. */
  lines: Line[];
  /** Everybody with a seat, and who of them is connected now. */
  members: Face[];
  active: Face[];
  /** Everybody who is known to have had a seat. */
  faces: ReadonlySet<Face>;
  /** Who is typing now, oneself left out. */
  typing: Face[];
  connection: Connection;
  /** The newest place of the log that was applied. */
  lastSeq: number;
  /** How many messages were ever said. */
  messageCount: number;
  /** Whether the server keeps lines older than the first. */
  hasOlder: boolean;
  loadingOlder: boolean;
  /** The first line that came while nobody looked; the line "new" stands above it. */
  unreadFrom: string | undefined;
  unread: number;
  /** Whether one is meant in what came while nobody looked. */
  mentioned: boolean;
  ended: Ending | undefined;
};

/**
 * What was typed, and the place of the message it answers: not that message itself, whose words may be taken back
 * meanwhile.
 */
export type Draft = { words: string; replyTo: number | undefined };

/** What a person can do in a room. Nothing here throws: what goes wrong is shown as a notice or in the state. */
export type ChatActions = {
  /** Connects, and keeps connected until `stop`. */
  start: () => void;
  stop: () => void;
  /** Shown at once; sent when it can be, and once. */
  send: (words: string, replyTo?: Message) => void;
  /** Shrinks, uploads both forms and sends. The preview has been closed by then. */
  sendPicture: (file: Blob, caption: string, replyTo?: Message) => void;
  retry: (message: Message) => void;
  /** Gives up a message that failed, or a picture that isn't uploaded yet. */
  dismiss: (message: Message) => void;
  unsend: (message: Message) => void;
  /** Told on every key; passed on as often as the server wants to hear. */
  typing: () => void;
  loadOlder: () => Promise<void>;
  /** Loads back until the line is there; false when the room no longer keeps it. */
  reach: (seq: number) => Promise<boolean>;
  /** Everything shown so far was seen. The line `unreadFrom` stays until something new comes unseen, or one answers. */
  markRead: () => void;
  /**
   * Whether the newest line is on screen. While it is, and the page is visible, what comes counts as seen. Not told
   * is taken for yes. Being there also marks everything read.
   */
  lookAtEnd?: (isThere: boolean) => void;
  /** What was typed and not sent; it lives through a reload. */
  draft: () => Draft;
  keepDraft: (draft: Draft) => void;
  /** The creator's. Each resolves to whether it was done; a refusal is a notice. */
  lock: (locked: boolean) => Promise<boolean>;
  kick: (face: Face, withMessages: boolean) => Promise<boolean>;
  /** Takes away what anybody said. */
  takeDown: (message: Message) => Promise<boolean>;
  close: () => Promise<boolean>;
  /** Gives the seat back, for good. */
  leave: () => Promise<boolean>;
};
