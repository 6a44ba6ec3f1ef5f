import { ApiFailure, type Refusal } from "@/shared/api/client";
import { CAPTION_MAX } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { characters } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import { translated } from "@/shared/text/failureText";
import type { Connection } from "../connection/Connection";
import { type Timers, timersOf } from "../connection/timers";
import type { Environment } from "../environment";
import type { Line, Message, StateHandle } from "../model/chat";
import { changed, dismissed, queued } from "../model/transitions";
import { dropEntry, keepEntry, keptEntries, outboxKey } from "../storage";
import {
  type Copy,
  copyOf,
  deliveryOf,
  dropPreview,
  type Entry,
  handOver,
  type Item,
  isSettled,
  mayComeAgain,
  needsUpload,
  previewOf,
  type Stage,
} from "./item";
import type { KeptPicture } from "./keptPictures";
import { longestOf, ownMessage, quoteOf, sendFrame, tidy } from "./messages";
import { uploadBoth } from "./uploadBoth";

/** If the echo takes longer, the connection is checked and the message is sent again. */
const ECHO_WITHIN_MS = 5000;

/** Eight messages a second: the server accepts ten frames, and some of them are not messages. */
const PACE_MS = 125;

/** How long to wait when the server is too busy for a message. The pause doubles each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/** How long after both uploads success is shown, and for how long. */
const SUCCESS_AFTER_MS = 1000;
const SUCCESS_SHOWN_MS = 4000;

/**
 * The visitor's messages, in the order in which they were written, until their echoes come. Only one is sent at a
 * time, so that none can overtake another that was refused. Each keeps its id, so that the server recognizes a message
 * that is sent again. Local storage keeps what is ready to be sent, and the browser's database keeps a picture until
 * its message is in the log; the next page that opens the room goes on with both.
 */
export class SendQueue {
  /** Where local storage keeps the queue. */
  private readonly key: string;
  private readonly environment: Environment;
  private readonly chat: StateHandle;
  private readonly connection: Pick<Connection, "send" | "check">;
  private readonly timers: Timers;
  /** The earliest time at which the next message may be sent. */
  private nextAt = 0;
  private pause = FIRST_PAUSE_MS;
  /** Oldest first. */
  private items: Item[];
  /** Whether the page was left. */
  private isLeft = false;
  /** Whether the pictures that an earlier page has left are loaded. */
  private isLoaded = false;
  /** Whether the room can be reached, and the device has a network. */
  private isConnected = false;
  private lastAt = 0;
  /** Pictures are shrunk one after the other: several at a time would need more memory than a phone has. */
  private shrinking: Promise<unknown> = Promise.resolve();

  constructor(
    room: string,
    environment: Environment,
    chat: StateHandle,
    connection: Pick<Connection, "send" | "check">,
  ) {
    this.key = outboxKey(room);
    this.environment = environment;
    this.chat = chat;
    this.connection = connection;
    this.timers = timersOf(environment.socket);
    const kept = keptEntries<Entry>(environment.storage, this.key).sort((one, other) => one.at - other.at);
    this.items = kept.map((entry) => ({ ...entry, stage: { is: "ready" }, isAdopted: true }));
    // Some of them may have arrived after that page was left.
    this.settle(chat.read().lines);
    for (const item of this.items) this.publish(item);
  }

  /** Goes on with the pictures that an earlier page has left. */
  async start() {
    this.isLeft = false;
    const left = await this.environment.kept.all();
    if (this.isLeft) return;
    for (const kept of left) this.takeUp(kept);
    this.isLoaded = true;
    this.go();
  }

  /** The page is left. What is kept on the device stays for the next page. */
  stop() {
    this.isLeft = true;
    this.timers.cancelAll();
    for (const item of this.items) if (needsUpload(item)) this.remove(item);
  }

  /** The room is over: also removes what is kept. */
  forget() {
    this.items = [];
    void this.environment.kept.forget();
  }

  /** Says whether the room can be reached now. Uploads that broke off begin again; refused texts wait for `open`. */
  connected(isConnected: boolean) {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const item of this.items) {
      const { stage } = item;
      if (stage.is === "waiting" || (needsUpload(item) && mayComeAgain(item))) this.again(item);
    }
    this.go();
  }

  /** The room's socket is ready: sends all messages without an echo, also those that failed and may be tried again. */
  open() {
    this.pause = FIRST_PAUSE_MS;
    // The server answers each `event.connect`, so this may come twice.
    this.sendAgain();
    // Another tab may have sent messages that this one took from local storage.
    const kept = new Set(keptEntries(this.environment.storage, this.key).map(({ id }) => id));
    for (const item of this.items) if (item.isAdopted && !kept.has(item.id)) this.part(item);
    for (const item of this.items) if (!needsUpload(item) && mayComeAgain(item)) this.again(item);
    this.go();
  }

  /** A message that was sent without an echo may have arrived or not: it is sent again, before all others. */
  sendAgain() {
    this.timers.cancel("send");
    for (const item of this.items) if (item.stage.is === "sent") item.stage = { is: "ready" };
  }

  words(raw: string, replyTo: Message | undefined) {
    const words = tidy(raw);
    const chat = this.chat.read();
    if (
      words === "" ||
      this.isTooLong(words, longestOf(chat), appText.codes[chat.pair ? "line_too_long" : "message_too_long"])
    )
      return;
    const item = this.add(words, replyTo, { is: "ready" });
    this.publish(item);
    this.keepEntry(item);
    this.go();
  }

  async picture(file: Blob, raw: string, replyTo: Message | undefined) {
    const caption = tidy(raw);
    if (this.isTooLong(caption, CAPTION_MAX, appText.codes.caption_too_long)) return;
    const item = this.add(caption, replyTo, { is: "shrinking" });
    try {
      const shrunk = this.shrinking.then(() => this.environment.shrink(file));
      this.shrinking = shrunk.catch(() => {});
      item.copy = copyOf(await shrunk, false);
      this.shrunk(item, item.copy);
    } catch {
      this.remove(item);
      this.environment.showError(chatText.model.compression);
    }
    this.go();
  }

  /** Tries a failed message again. A form of its picture that was uploaded is not uploaded twice. */
  retry(id: string) {
    const item = this.find(id);
    if (item?.stage.is !== "failed") return;
    this.again(item);
    this.go();
  }

  dismiss(id: string) {
    const item = this.find(id);
    if (!item) return;
    this.forgetKept(item);
    this.part(item);
    this.go();
  }

  /** The visitor's own messages among these lines have arrived. */
  settle(lines: readonly Line[]) {
    for (const line of lines) if (isSettled(line)) this.settled(line.id);
  }

  settled(id: string) {
    const item = this.find(id);
    if (!item) return;
    if (item.stage.is === "sent") this.pause = FIRST_PAUSE_MS;
    this.forgetKept(item);
    this.remove(item);
    this.go();
  }

  /** The server refused a message, or cannot take it now. False if it is not in this queue. */
  refused(id: string, why: Refusal): boolean {
    const item = this.find(id);
    if (item?.stage.is !== "sent") return item !== undefined;
    this.timers.cancel("send");
    // These two refusals are temporary: the message is sent again after a pause.
    if (why.code === "sending_too_fast" || why.code === "group_busy") {
      item.stage = { is: "ready" };
      this.nextAt = this.environment.now() + this.pause;
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    } else if (item.copy) this.uploadAnew(item, item.copy, why);
    else this.move(item, { is: "failed", why: translated(why), untilTap: false });
    this.go();
    return true;
  }

  private takeUp(kept: KeptPicture) {
    const { id, caption: words, reply, at, why } = kept;
    const item = this.find(id);
    const copy = copyOf(kept.shrunk, true);
    const stage: Stage = why === undefined ? { is: "waiting" } : { is: "failed", why, untilTap: true };
    if (this.chat.read().lines.some((line) => isSettled(line) && line.id === id))
      void this.environment.kept.drop(id);
    else if (item) item.copy ??= copy;
    else this.publish(this.put({ id, words, picture: null, reply, at, stage, isAdopted: false, copy }));
  }

  private shrunk(item: Item, copy: Copy) {
    // The room has ended.
    if (!this.items.includes(item)) return;
    this.keep(item, copy);
    // If the page was left in the meantime, the next one sends the picture.
    if (this.isLeft) this.remove(item);
    else this.move(item, { is: "waiting" });
  }

  /**
   * The message of a picture was refused. If the server no longer has the picture, it is uploaded again, once.
   * Otherwise the message waits until the visitor tries again.
   */
  private uploadAnew(item: Item, { shrunk, isKept, isAnew }: Copy, why: Refusal) {
    // The server deletes a picture that no message has used for a while.
    const mayTry = why.code === "picture_of_other_group" && !isAnew;
    dropEntry(this.environment.storage, this.key, item.id);
    item.picture = null;
    item.isAdopted = false;
    item.copy = copyOf(shrunk, isKept, mayTry);
    this.move(item, mayTry ? { is: "waiting" } : { is: "failed", why: translated(why), untilTap: true });
    if (!mayTry) this.keep(item, item.copy);
  }

  private go() {
    void this.uploadNext();
    this.sendNext();
  }

  private sendNext() {
    // This timer runs while a message waits for its echo, or for its turn.
    if (!this.isLoaded || this.timers.isSet("send")) return;
    // A message waits for every earlier picture that has not failed.
    const next = this.items.find(({ stage }) => stage.is !== "failed" && stage.is !== "sent");
    if (next?.stage.is !== "ready") return;
    const wait = this.nextAt - this.environment.now();
    if (wait > 0) {
      this.timers.set("send", wait, () => this.go());
      return;
    }
    if (!this.connection.send(sendFrame(this.chat.read().me, next))) return;
    next.stage = { is: "sent" };
    this.nextAt = this.environment.now() + PACE_MS;
    this.timers.set("send", ECHO_WITHIN_MS, () => {
      next.stage = { is: "ready" };
      this.connection.check();
      this.go();
    });
  }

  private async uploadNext() {
    // One picture at a time.
    if (!this.isConnected || this.items.some(({ stage }) => stage.is === "uploading")) return;
    const item = this.items.find(({ stage }) => stage.is === "waiting");
    const copy = item?.copy;
    if (!copy) return;
    const { shrunk, uploaded, abort } = copy;
    item.stage = { is: "uploading", percent: 0 };
    const failure = await uploadBoth(this.environment.upload, shrunk, uploaded, abort.signal, (percent) => {
      if (this.items.includes(item)) this.move(item, { is: "uploading", percent });
    });
    const isThere = !copy.isKept || (await this.environment.kept.has(item.id));
    if (!this.items.includes(item)) return;
    // Another tab of the same seat has given the picture up, or sends it.
    if (!isThere) this.part(item);
    else if (uploaded.full !== undefined && uploaded.tiny !== undefined) {
      const { width, height } = shrunk;
      item.picture = { full: uploaded.full, tiny: uploaded.tiny, width, height };
      handOver(copy, item.picture);
      this.move(item, { is: "ready" });
      this.keepEntry(item);
      this.showSuccess(item.id);
    } else this.uploadFailed(item, copy, failure);
    this.go();
  }

  /** Without a connection the picture waits. Otherwise it has failed, and only by hand is it tried again if refused. */
  private uploadFailed(item: Item, copy: Copy, failure: unknown) {
    const untilTap = failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500;
    if (!untilTap && !this.isConnected) return this.move(item, { is: "waiting" });
    const added = untilTap && failure.message !== "" ? `: ${translated(failure.refusal)}` : "";
    this.move(item, { is: "failed", why: `${chatText.model.uploadFailed}${added}`, untilTap });
    if (untilTap) this.keep(item, copy);
    this.environment.showError(chatText.model.pictureNotSent);
  }

  private showSuccess(id: string) {
    const { later } = this.environment.socket;
    const say = (uploaded: true | undefined) => this.chat.update((state) => changed(state, id, { uploaded }));
    later(() => {
      say(true);
      later(() => say(undefined), SUCCESS_SHOWN_MS);
    }, SUCCESS_AFTER_MS);
  }

  private isTooLong(words: string, max: number, complaint: string): boolean {
    const isTooLong = characters(words) > max;
    if (isTooLong) this.environment.showError(complaint);
    return isTooLong;
  }

  private add(words: string, replyTo: Message | undefined, stage: Stage): Item {
    this.environment.playSent();
    // Messages are sorted by their times, so no two may be equal.
    this.lastAt = Math.max(this.environment.now(), this.lastAt + 1);
    const id = this.environment.newId();
    const reply = quoteOf(replyTo);
    return this.put({ id, words, picture: null, reply, at: this.lastAt, stage, isAdopted: false });
  }

  private put(item: Item): Item {
    this.items = [...this.items, item].sort((one, other) => one.at - other.at);
    return item;
  }

  private find(id: string): Item | undefined {
    return this.items.find((item) => item.id === id);
  }

  private again(item: Item) {
    this.move(item, { is: needsUpload(item) ? "waiting" : "ready" });
  }

  /** Removes an item from this page's queue. What is kept on the device stays: all tabs of a seat share it. */
  private remove(item: Item) {
    this.items = this.items.filter((other) => other !== item);
    item.copy?.abort.abort();
    if (item.copy) dropPreview(item.copy);
    if (item.stage.is === "sent") this.timers.cancel("send");
  }

  /** Removes an item and its line. What is kept of it stays, as another tab may need that. */
  private part(item: Item) {
    this.remove(item);
    this.chat.update((state) => dismissed(state, item.id));
  }

  private move(item: Item, stage: Stage) {
    item.stage = stage;
    this.publish(item);
  }

  private publish(item: Item) {
    const picture = item.picture ?? (item.copy ? previewOf(item.copy) : null);
    const delivery = deliveryOf(item.stage, this.isConnected);
    this.chat.update((state) => {
      const message = ownMessage(state.me, { ...item, picture }, delivery);
      // If the message is already shown, its picture and delivery may have changed.
      return changed(queued(state, message), item.id, { picture, delivery });
    });
  }

  private keepEntry({ id, words, picture, reply, at }: Item) {
    keepEntry(this.environment.storage, this.key, { id, words, picture, reply, at });
  }

  private keep({ id, words: caption, reply, at, stage }: Item, copy: Copy) {
    const why = stage.is === "failed" && stage.untilTap ? stage.why : undefined;
    const picture = { id, caption, reply, at, shrunk: copy.shrunk, why };
    void this.environment.kept.keep(picture).then((isKept) => {
      copy.isKept = isKept;
    });
  }

  private forgetKept({ id, copy }: Item) {
    if (copy) void this.environment.kept.drop(id);
    dropEntry(this.environment.storage, this.key, id);
  }
}
