import type { Said } from "@/shared/api/client";
import type { Quote } from "../model/chat";
import { keepOutbox, keptOutbox, type Storage } from "../storage";

/** A message that the server doesn't have yet, or may not have. */
export type Entry = {
  id: string;
  words: string;
  /** A picture's two references, once it is uploaded. */
  picture: { full: string; tiny: string; width: number; height: number } | null;
  reply: Quote | null;
  /** When it was written, in milliseconds. */
  at: number;
};

export type OutboxWorld = {
  now: () => number;
  later: (run: () => void, ms: number) => number;
  cancel: (timer: number) => void;
};

export type Carrier = {
  /** Hands a message to the socket; false when there is none. */
  send: (entry: Entry) => boolean;
  /** Whether a picture that was chosen before then is still being uploaded. */
  isBehind: (at: number) => boolean;
  sending: (id: string) => void;
  failed: (id: string, why: Said) => void;
  /** Another tab of the same seat gave it up, or saw it arrive. */
  gone: (id: string) => void;
  /** The server has said nothing of what was sent. */
  silent: () => void;
};

/** Eight a second: the server takes ten, and there is more to say than messages. */
const PACE_MS = 125;
/** How long the echo may take before the connection is doubted and the message sent again. */
const ECHO_WITHIN_MS = 5000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

type Held = Entry & { state: "waiting" | "sent" | "failed"; adopted: boolean };

/**
 * One's own messages until their echo comes, in the order in which they were written. One is on its way at a time, so
 * that none can overtake another that was refused; and each keeps its id for ever, by which the server knows it when it
 * comes again.
 */
export class Outbox {
  private readonly room: string;
  private readonly storage: Storage;
  private readonly carrier: Carrier;
  private readonly world: OutboxWorld;
  private held: Held[] = [];
  private isOpen = false;
  private timer: number | undefined;
  private mayFrom = 0;
  private pause = FIRST_PAUSE_MS;

  constructor(room: string, storage: Storage, carrier: Carrier, world: OutboxWorld) {
    this.room = room;
    this.storage = storage;
    this.carrier = carrier;
    this.world = world;
    this.held = this.kept().map((entry) => ({ ...entry, state: "waiting", adopted: true }));
    this.held.sort(byTime);
  }

  /** Oldest first. */
  get entries(): readonly Entry[] {
    return this.held;
  }

  add(entry: Entry) {
    this.held.push({ ...entry, state: "waiting", adopted: false });
    // A picture is added when it is uploaded.
    this.held.sort(byTime);
    // Another tab of the same seat may have uploaded the same picture.
    const others = this.kept().filter(({ id }) => id !== entry.id);
    keepOutbox(this.storage, this.room, [...others, entry]);
    this.go();
  }

  /** The server listens: everything that isn't known to be there is sent. */
  open() {
    this.isOpen = true;
    this.pause = FIRST_PAUSE_MS;
    this.cancel();
    this.partWithTheGone();
    for (const entry of this.held) {
      if (entry.state === "failed") this.carrier.sending(entry.id);
      entry.state = "waiting";
    }
    this.go();
  }

  /** The connection is gone. What was on its way may have arrived or not. */
  close() {
    this.isOpen = false;
    this.cancel();
    for (const entry of this.held) if (entry.state === "sent") entry.state = "waiting";
  }

  /** The server has it. */
  arrived(id: string) {
    const entry = this.held.find((held) => held.id === id);
    if (!entry) return;
    this.take(id);
    if (entry.state === "sent") {
      this.pause = FIRST_PAUSE_MS;
      this.cancel();
    }
    this.go();
  }

  /** The server doesn't want it, or not now. False when it is none of ours. */
  refused(id: string, why: Said): boolean {
    const entry = this.held.find((held) => held.id === id);
    if (!entry) return false;
    if (entry.state !== "sent") return true;
    this.cancel();
    // Both pass by themselves.
    if (why.code === "sending_too_fast" || why.code === "group_busy") {
      entry.state = "waiting";
      this.mayFrom = this.world.now() + this.pause;
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    } else {
      entry.state = "failed";
      this.carrier.failed(id, why);
    }
    this.go();
    return true;
  }

  retry(id: string): boolean {
    const entry = this.held.find((held) => held.id === id);
    if (!entry) return false;
    if (entry.state === "failed") {
      entry.state = "waiting";
      this.carrier.sending(id);
      this.go();
    }
    return true;
  }

  drop(id: string) {
    this.arrived(id);
  }

  /** Sends what may be sent now. */
  go() {
    // While one is on its way, its timer runs.
    if (!this.isOpen || this.timer !== undefined) return;
    const next = this.held.find(({ state }) => state === "waiting");
    if (!next || this.carrier.isBehind(next.at)) return;
    const wait = this.mayFrom - this.world.now();
    if (wait > 0) {
      this.after(wait, () => this.go());
      return;
    }
    // Without a socket it waits for the next one.
    if (!this.carrier.send(next)) return;
    next.state = "sent";
    this.mayFrom = this.world.now() + PACE_MS;
    this.after(ECHO_WITHIN_MS, () => {
      next.state = "waiting";
      this.carrier.silent();
      this.go();
    });
  }

  private take(id: string) {
    this.held = this.held.filter((held) => held.id !== id);
    const others = this.kept().filter((kept) => kept.id !== id);
    keepOutbox(this.storage, this.room, others);
  }

  /** What another tab kept may have been dealt with there. */
  private partWithTheGone() {
    const kept = new Set(this.kept().map(({ id }) => id));
    for (const { id } of this.held.filter((entry) => entry.adopted && !kept.has(entry.id))) {
      this.held = this.held.filter((entry) => entry.id !== id);
      this.carrier.gone(id);
    }
  }

  private kept(): Entry[] {
    return keptOutbox(this.storage, this.room).filter(isEntry);
  }

  private after(ms: number, run: () => void) {
    this.timer = this.world.later(() => {
      this.timer = undefined;
      run();
    }, ms);
  }

  private cancel() {
    if (this.timer !== undefined) this.world.cancel(this.timer);
    this.timer = undefined;
  }
}

function byTime(one: Entry, other: Entry): number {
  return one.at - other.at;
}

function isEntry(kept: unknown): kept is Entry {
  const { id, words, at } = (kept ?? {}) as Partial<Entry>;
  return typeof id === "string" && typeof words === "string" && typeof at === "number";
}
