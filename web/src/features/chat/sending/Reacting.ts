import type { Refusal } from "@/shared/api/client";
import { appText } from "@/shared/text/appText";
import { translated } from "@/shared/text/failureText";
import type { Connection } from "../connection/Connection";
import { type Timers, timersOf } from "../connection/timers";
import type { Environment } from "../environment";
import type { StateHandle } from "../model/chat";
import { hasAll, isGranted, reactionsTo, wishing } from "../model/reactions";
import { dropEntry, keepEntry, keptEntries, wishesKey } from "../storage";

/** If the server doesn't confirm within this time, the connection is checked and the reaction is sent again. */
const ECHO_WITHIN_MS = 5000;
/** How long to wait when the server is too busy, or when too much was sent. */
const PAUSE_MS = 1500;

/** A reaction that is to be on a message, or not. Local storage keeps it as it is. */
export type Wish = { id: string; seq: number; sign: string; on: boolean };

/**
 * The visitor's reactions that the server has not confirmed. Each is shown at once, and sent again after a lost
 * connection, and by the next page after a reload. A later wish for the same emoji on the same message replaces an
 * earlier one.
 */
export class Reacting {
  /** Where local storage keeps them. */
  private readonly key: string;
  private readonly environment: Environment;
  private readonly chat: StateHandle;
  private readonly connection: Pick<Connection, "send" | "check">;
  private readonly timers: Timers;
  private wishes: Wish[];
  /** The ids of those that were sent over this connection. */
  private sent = new Set<string>();
  /** The ids of those that an earlier page or another tab has left. */
  private readonly adopted: ReadonlySet<string>;

  constructor(
    room: string,
    environment: Environment,
    chat: StateHandle,
    connection: Pick<Connection, "send" | "check">,
  ) {
    this.key = wishesKey(room);
    this.environment = environment;
    this.chat = chat;
    this.connection = connection;
    this.timers = timersOf(environment.socket);
    this.wishes = this.kept();
    this.adopted = new Set(this.wishes.map(({ id }) => id));
    for (const { seq, sign, on } of this.wishes) this.show(seq, sign, on);
    // Some of them may have arrived after that page was left.
    this.settle();
  }

  toggle(seq: number, sign: string) {
    const state = this.chat.read();
    if (state.retracted.has(seq)) return;
    const there = reactionsTo(state, seq).find((reaction) => reaction.sign === sign);
    const on = !there?.from.includes(state.me);
    if (on && hasAll(state, seq)) return this.environment.showError(appText.codes.too_many_reactions);
    this.drop(seq, sign);
    const wish = { id: this.environment.newId(), seq, sign, on };
    this.wishes.push(wish);
    keepEntry(this.environment.storage, this.key, wish);
    this.show(seq, sign, on);
    this.sendAll();
  }

  /** The room's socket is ready. */
  open() {
    this.lost();
    // Another tab may have sent those that this one took from local storage, and may have taken them back since.
    const kept = new Set(this.kept().map(({ id }) => id));
    for (const { id, seq, sign } of this.wishes)
      if (this.adopted.has(id) && !kept.has(id)) this.end(seq, sign);
    this.sendAll();
  }

  /** What was sent may not have arrived. */
  lost() {
    this.sent.clear();
  }

  /** Frames have come: some wishes may be confirmed, and others have lost their messages. */
  settle() {
    const state = this.chat.read();
    for (const { seq, sign, on } of this.wishes) {
      if (state.retracted.has(seq) || isGranted(state, seq, sign, on)) this.end(seq, sign);
    }
  }

  /** The server refused one. False if it is not one of these. */
  refused(id: string, why: Refusal): boolean {
    const wish = this.wishes.find((other) => other.id === id);
    if (!wish) return false;
    if (why.code === "sending_too_fast" || why.code === "group_busy") {
      this.sendAgain(PAUSE_MS);
      return true;
    }
    this.end(wish.seq, wish.sign);
    // If the message is gone, everybody sees that.
    if (why.code !== "message_gone") this.environment.showError(translated(why));
    return true;
  }

  stop() {
    this.timers.cancelAll();
  }

  private sendAll() {
    for (const { id, seq: message, sign: emoji, on } of this.wishes) {
      if (this.sent.has(id)) continue;
      if (this.connection.send({ event: "event.react", id, message, emoji, on })) this.sent.add(id);
    }
    this.sendAgain(ECHO_WITHIN_MS);
  }

  /** After a while sends what is not confirmed by then, over a connection that works. */
  private sendAgain(ms: number) {
    this.timers.set("again", ms, () => {
      if (this.wishes.length === 0) return;
      this.connection.check();
      this.open();
    });
  }

  private end(seq: number, sign: string) {
    this.drop(seq, sign);
    this.show(seq, sign, undefined);
  }

  private drop(seq: number, sign: string) {
    this.wishes = this.wishes.filter((wish) => {
      const isOther = wish.seq !== seq || wish.sign !== sign;
      if (!isOther) dropEntry(this.environment.storage, this.key, wish.id);
      return isOther;
    });
  }

  private kept(): Wish[] {
    return keptEntries(this.environment.storage, this.key);
  }

  private show(seq: number, sign: string, on: boolean | undefined) {
    this.chat.update((state) => ({ ...state, wished: wishing(state, seq, sign, on) }));
  }
}
