import type { Schemas } from "@/shared/api/api";
import type { Code } from "@/shared/contract/codes";
import { refusalOf } from "@/shared/testing/refusalOf";
import type { ChatFrame, LogFrame, NotifyFrame, ReactFrame } from "../model/frames";

/** For tests: a room's server, its network and its clock. None of them does anything unless the test says so. */
export const ROOM = "7c1f5a3e-52c5-4bc1-9d0b-6a2f8a7f0001";

/** Random numbers that are the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class FakeClock {
  now = 1_000_000;
  private due: { at: number; id: number; run: () => void }[] = [];
  private count = 0;

  readonly later = (run: () => void, ms: number) => {
    this.count += 1;
    this.due.push({ at: this.now + ms, id: this.count, run });
    return this.count;
  };

  readonly cancel = (id: number) => {
    this.due = this.due.filter((timer) => timer.id !== id);
  };

  get timers() {
    return this.due.length;
  }

  /** Lets time pass, with timers and promises. Gives the result of `meanwhile`. */
  async pass<Result>(ms: number, meanwhile?: Promise<Result>) {
    const until = this.now + ms;
    for (;;) {
      for (let round = 0; round < 12; round += 1) await Promise.resolve();
      const [next] = this.due.sort((a, b) => a.at - b.at || a.id - b.id);
      if (!next || next.at > until) break;
      this.due.shift();
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = until;
    return meanwhile;
  }
}

/** The page's end of a connection. Frames take some time and arrive in order. After a cut, none arrives. */
export class FakeConnection {
  readyState = 0;
  listens = false;
  /** The connection answers nothing and isn't closed, as after a phone has slept. */
  isDead = false;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  readonly emoji: string;
  private readonly room: FakeRoom;
  private earliest = { up: 0, down: 0 };

  constructor(room: FakeRoom, emoji: string) {
    this.room = room;
    this.emoji = emoji;
    this.travel("down", () => {
      if (this.isDead) return;
      if (!room.isUp || room.barred.has(emoji)) return this.end(1006);
      this.readyState = 1;
      room.sockets.add(this);
      this.onopen?.();
    });
  }

  send(text: string) {
    this.travel("up", () => {
      if (this.readyState === 1 && !this.isDead) this.room.receive(this, JSON.parse(text).message);
    });
  }

  close() {
    this.readyState = 3;
    this.room.sockets.delete(this);
  }

  deliver(frame: unknown) {
    const data = JSON.stringify(frame);
    this.travel("down", () => {
      if (this.readyState === 1 && !this.isDead) this.onmessage?.({ data });
    });
  }

  end(code: number) {
    this.readyState = 3;
    this.room.sockets.delete(this);
    this.onclose?.({ code });
  }

  /** Frames in the same direction arrive in the order in which they were sent. */
  travel(way: "up" | "down", arrive: () => void) {
    const { clock, random } = this.room;
    const at = Math.max(this.earliest[way], clock.now + 2 + random() * 40);
    this.earliest[way] = at;
    clock.later(arrive, at - clock.now);
  }
}

/** Does what the room's actor on the server does, as far as a page can notice. */
export class FakeRoom {
  readonly clock = new FakeClock();
  readonly random: () => number;
  readonly sockets = new Set<FakeConnection>();
  /** The people who have lost their seats, with the reasons. */
  readonly barred = new Map<string, "kicked" | "left">();
  readonly log: LogFrame[] = [];
  members: string[] = [];
  seq = 0;
  isUp = true;
  /** If a page has missed more frames than this, it has to load the room anew. */
  resumes = 500;
  /** How many messages may be sent before one is refused as too fast. The test sets it again. */
  allowance = Number.POSITIVE_INFINITY;
  refuses = new Map<string, Code>();
  /** Pictures that the server has deleted because their message didn't come in time. */
  forgotten = new Set<unknown>();
  /** When each message arrived, including those that were refused or known already. */
  readonly posts: number[] = [];
  pages = 0;
  answersIn = () => 30;
  frames = 0;

  constructor(seed = 1) {
    this.random = dice(seed);
  }

  get messages(): ChatFrame[] {
    return this.lines.filter((frame) => "sender" in frame);
  }

  /** Those that are lines. */
  get lines(): (ChatFrame | NotifyFrame)[] {
    return this.log.filter((frame) => "time" in frame);
  }

  seat(emoji: string) {
    this.members.push(emoji);
    this.notify(`${emoji} joined`);
  }

  notify(about: string) {
    this.seq += 1;
    this.append(noticeFrame(this.seq, about));
  }

  post(emoji: string, id: string, words: string, more: Partial<ChatFrame> = {}) {
    this.seq += 1;
    this.append(chatFrame(this.seq, { id, sender: emoji, message: words, ...more }));
  }

  retract(emoji: string, id: string) {
    const message = this.messages.find((frame) => frame.id === id && frame.sender === emoji);
    if (!message || message.unsent) return false;
    this.seq += 1;
    const bare = { message: "", caption: "", image_src: null, image_low: null, reply: null };
    delete message.reactions;
    Object.assign(message, bare, { event: "event.chat", unsent: true });
    this.append({ event: "event.unsend", id: message.id, message_seq: message.seq, seq: this.seq });
    return true;
  }

  /** Returns whether there is such a message. Nothing happens if the reaction is as it should be. */
  react(sender: string, seq: number, emoji: string, on: boolean): ReactFrame | undefined {
    const message = this.messages.find((frame) => frame.seq === seq && !frame.unsent);
    if (!message) return undefined;
    const all = message.reactions ?? [];
    const from = all.find((reaction) => reaction.emoji === emoji)?.from ?? [];
    const others = from.filter((other) => other !== sender);
    const now = on ? [...others, sender] : others;
    const answer = { event: "event.react" as const, message: seq };
    if (from.includes(sender) === on) return { ...answer, reactions: all, seq: this.seq };
    const reaction = { emoji, count: now.length, from: now };
    const changed = all.map((other) => (other.emoji === emoji ? reaction : other));
    message.reactions = (from.length > 0 ? changed : [...all, reaction]).filter(({ count }) => count > 0);
    this.seq += 1;
    const frame = { ...answer, sender, emoji, on, reactions: message.reactions, seq: this.seq };
    this.append(frame);
    return frame;
  }

  /** Ends a member's stay as the server does. */
  close(emoji: string, why: Code, status: number) {
    for (const socket of [...this.sockets].filter((other) => other.emoji === emoji)) {
      socket.deliver({ event: "event.closed", ...refusalOf(why) });
      socket.travel("down", () => socket.end(status));
    }
  }

  goDown() {
    this.isUp = false;
    this.cut();
  }

  /** Cuts all connections, or those of one person. Frames that are on their way are lost. */
  cut(emoji?: string) {
    for (const socket of [...this.sockets]) if (!emoji || socket.emoji === emoji) socket.end(1006);
  }

  sleep(emoji: string) {
    for (const socket of this.sockets) if (socket.emoji === emoji) socket.isDead = true;
  }

  receive(socket: FakeConnection, message: Record<string, unknown>) {
    const id = String(message.id);
    this.frames += 1;
    if (message.event === "event.connect") {
      const since = Number(message.since);
      const missed = this.log.filter(({ seq }) => seq > since);
      const resumed = missed.length <= this.resumes && since <= this.seq;
      socket.listens = true;
      if (resumed) for (const frame of missed) socket.deliver(frame);
      socket.deliver({ event: "event.ready", last_seq: this.seq, resumed });
      socket.deliver({ event: "event.active-users", active_users: this.active() });
    } else if (message.event === "event.active-users") {
      socket.deliver({ event: "event.active-users", active_users: this.active() });
    } else if (message.event === "event.typing") {
      this.broadcast({ event: "event.typing", sender: socket.emoji }, socket);
    } else if (message.event === "event.unsend") {
      if (!this.retract(socket.emoji, id))
        socket.deliver({ event: "event.error", id, ...refusalOf("message_gone") });
    } else if (message.event === "event.react") {
      const { message: seq, emoji, on } = message;
      this.allowance -= 1;
      if (this.allowance < 0)
        return socket.deliver({ event: "event.error", id, ...refusalOf("sending_too_fast") });
      const before = this.seq;
      const frame = this.react(socket.emoji, Number(seq), String(emoji), on === true);
      if (!frame) socket.deliver({ event: "event.error", id, ...refusalOf("message_gone") });
      else if (this.seq === before) socket.deliver(frame);
    } else if (message.event === "event.chat" || message.event === "event.image") {
      this.posted(socket, id, message);
    }
  }

  page(limit: number, before = Number.POSITIVE_INFINITY): Schemas["RoomData"] {
    this.pages += 1;
    // As on the server, a page has `limit` frames that are shown, if there are as many.
    const older = this.lines.filter(({ seq }) => seq < before).map((frame) => ({ ...frame }));
    return {
      id: ROOM,
      link: ROOM,
      name: "midnight tacos",
      date: "2026-01-01 10:00:00",
      creator: "some-body",
      members: [...this.members],
      expire_at: (this.clock.now + 3_600_000) / 1000,
      messages: older.slice(-limit) as Schemas["LineFrame"][],
      last_seq: this.seq,
      message_count: this.messages.length,
      locked: false,
      ask_first: false,
      has_older: older.length > limit,
    };
  }

  private posted(socket: FakeConnection, id: string, message: Record<string, unknown>) {
    const { emoji } = socket;
    this.posts.push(this.clock.now);
    const refuse = (code: Code) => socket.deliver({ event: "event.error", id, ...refusalOf(code) });
    const why = this.refuses.get(String(message.message));
    this.allowance -= 1;
    if (this.allowance < 0) return refuse("sending_too_fast");
    if (why !== undefined) return refuse(why);
    if (this.forgotten.delete(message.image_src)) return refuse("picture_of_other_group");
    const known = this.messages.find((frame) => frame.id === id && frame.sender === emoji);
    if (known) return socket.deliver(known);
    const { event, caption, image_src, image_low } = message as ChatFrame;
    const reply = this.quoted((message.reply as unknown[] | null)?.[2]);
    const image_size = image_src ? [40, 30] : null;
    const given = { event, caption, image_src, image_low, image_size, reply };
    this.post(emoji, id, String(message.message), given);
  }

  private quoted(seq: unknown): ChatFrame["reply"] {
    const frame = this.messages.find((message) => message.seq === seq);
    return frame ? ([frame.sender, frame.message, frame.seq, ""] as unknown as ChatFrame["reply"]) : null;
  }

  private append(frame: LogFrame) {
    this.log.push(frame);
    this.broadcast({ ...frame });
  }

  private broadcast(frame: unknown, except?: FakeConnection) {
    for (const socket of this.sockets) if (socket.listens && socket !== except) socket.deliver(frame);
  }

  private active(): string[] {
    return [...new Set([...this.sockets].map(({ emoji }) => emoji))];
  }
}

/** A message as the server sends it. */
export function chatFrame(seq: number, more: Partial<ChatFrame> = {}): ChatFrame {
  return {
    event: "event.chat",
    id: `id-${seq}`,
    sender: "🐶",
    message: `words ${seq}`,
    caption: "",
    reply: null,
    time: "10:00:00.000",
    seq,
    ...more,
  };
}

/** A notice as the server sends it. `about` has its seat and its code: "🦊 joined", "🦊 removed", "locked". */
export function noticeFrame(seq: number, about: string, time = "10:00:00.000"): NotifyFrame {
  const [code, emoji] = about.split(" ").reverse() as [NotifyFrame["code"], string?];
  return { event: "event.notify", code, ...(emoji && { emoji }), message: `says: ${about}`, time, seq };
}
