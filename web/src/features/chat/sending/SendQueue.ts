import { ApiFailure, type Refusal } from "@/shared/api/client";
import { CAPTION_MAX, CHAT_MAX } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { characters } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import { translated } from "@/shared/text/failureText";
import type { Connection } from "../connection/Connection";
import { type Timers, timersOf } from "../connection/timers";
import type { Environment } from "../environment";
import type { Line, Message } from "../model/chat";
import { changed, dismissed, queued } from "../model/events";
import type { Lines } from "../model/reduce";
import { dropEntry, keepEntry, keptEntries } from "../storage";
import {
  type Copy,
  copyOf,
  deliveryOf,
  dropPreview,
  handOver,
  type Item,
  isSettled,
  mayComeAgain,
  needsUpload,
  previewOf,
  type Stage,
} from "./item";
import type { KeptPicture } from "./keptPictures";
import { ownMessage, quoteOf, sendFrame, tidy } from "./messages";
import { uploadBoth } from "./upload";

/** How long the echo may take before the connection is doubted and the message sent again. */
const ECHO_WITHIN_MS = 5000;

/** Eight a second: the server takes ten, and there is more to say than messages. */
const PACE_MS = 125;

/** How long the server is left alone when it is too busy for a message: twice as long each time it says so. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/** When success is said, after both uploads have finished, and for how long. */
const SUCCESS_AFTER_MS = 1000;
const SUCCESS_SHOWN_MS = 4000;

/**
 * What one says, from the moment it is said until its echo comes, in the order in which it was said. One message is on
 * its way at a time, so that none can overtake another that was refused; and each keeps its id for ever, by which the
 * server knows it when it comes again. Local storage keeps what can be sent, the browser's database a picture until its
 * message is in the log; the next page that opens the room goes on with both.
 */
export class SendQueue {
  private readonly room: string;
  private readonly environment: Environment;
  private readonly lines: Lines;
  private readonly connection: Pick<Connection, "send" | "check">;
  private readonly timers: Timers;
  /** Not before this moment the next message may be sent. */
  private nextAt = 0;
  private pause = FIRST_PAUSE_MS;
  /** Oldest first. */
  private items: Item[];
  /** Whether nobody looks at the room any more. */
  private isLeft = false;
  /** Whether it is known which pictures an earlier page has left. */
  private isLoaded = false;
  /** Whether the room can be reached, and the device has a network. */
  private isConnected = false;
  private lastAt = 0;
  /** Pictures are made small one after the other: several at once would take more memory than a phone has. */
  private shrinking: Promise<unknown> = Promise.resolve();

  constructor(
    room: string,
    environment: Environment,
    lines: Lines,
    connection: Pick<Connection, "send" | "check">,
  ) {
    this.room = room;
    this.environment = environment;
    this.lines = lines;
    this.connection = connection;
    this.timers = timersOf(environment.socket);
    const kept = keptEntries(environment.storage, room).sort((one, other) => one.at - other.at);
    this.items = kept.map((entry) => ({ ...entry, stage: { is: "ready" }, isAdopted: true }));
    // What was on its way when the page was left, and isn't known to have arrived.
    this.settle(lines.read().lines);
    for (const item of this.items) this.show(item);
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

  /** The page is left. What is kept stays for the next page. */
  stop() {
    this.isLeft = true;
    this.timers.cancelAll();
    for (const item of this.items) if (needsUpload(item)) this.remove(item);
  }

  /** The room is over: there is no next time. */
  forget() {
    this.items = [];
    void this.environment.kept.forget();
  }

  /** Whether the room can be reached now. What the server refused isn't tried again unasked. */
  connected(isConnected: boolean) {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const item of this.items) {
      const { stage } = item;
      if (stage.is === "waiting" || (needsUpload(item) && mayComeAgain(item))) this.again(item);
    }
    this.go();
  }

  /** The server listens: everything that isn't known to be there is sent. */
  open() {
    this.pause = FIRST_PAUSE_MS;
    // The server answers each `event.connect`, so this may come twice.
    this.sendAgain();
    // Another tab may have dealt with what it kept.
    const kept = new Set(keptEntries(this.environment.storage, this.room).map(({ id }) => id));
    for (const item of this.items) if (item.isAdopted && !kept.has(item.id)) this.part(item);
    for (const item of this.items) if (!needsUpload(item) && mayComeAgain(item)) this.again(item);
    this.go();
  }

  /** What was on its way may have arrived or not: it goes again, before anything else. */
  sendAgain() {
    this.timers.cancel("send");
    for (const item of this.items) if (item.stage.is === "sent") item.stage = { is: "ready" };
  }

  words(raw: string, replyTo: Message | undefined) {
    const words = tidy(raw);
    if (words === "" || this.isTooLong(words, CHAT_MAX, appText.codes.message_too_long)) return;
    const item = this.add(words, replyTo, { is: "ready" });
    this.show(item);
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

  /** What failed is tried again; what has arrived of it isn't sent twice. */
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

  /** One's own among these lines have arrived. */
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

  /** The server doesn't want it, or not now. False when it was none of what is on its way. */
  refused(id: string, why: Refusal): boolean {
    const item = this.find(id);
    if (item?.stage.is !== "sent") return item !== undefined;
    this.timers.cancel("send");
    // Both reasons pass by themselves.
    if (why.code === "sending_too_fast" || why.code === "group_busy") {
      item.stage = { is: "ready" };
      this.nextAt = this.environment.now() + this.pause;
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    } else if (item.copy) this.uploadAnew(item, item.copy, why);
    else this.move(item, { is: "failed", why: translated(why), forGood: false });
    this.go();
    return true;
  }

  private takeUp(kept: KeptPicture) {
    const { id, caption: words, reply, at, why } = kept;
    const item = this.find(id);
    const copy = copyOf(kept.shrunk, true);
    const stage: Stage = why === undefined ? { is: "waiting" } : { is: "failed", why, forGood: true };
    if (this.lines.read().lines.some((line) => isSettled(line) && line.id === id))
      void this.environment.kept.drop(id);
    else if (item) item.copy ??= copy;
    else this.show(this.put({ id, words, picture: null, reply, at, stage, isAdopted: false, copy }));
  }

  private shrunk(item: Item, copy: Copy) {
    // The room has ended.
    if (!this.items.includes(item)) return;
    this.keep(item, copy);
    // A page that was left meanwhile leaves it to the next one.
    if (this.isLeft) this.remove(item);
    else this.move(item, { is: "waiting" });
  }

  /**
   * The message of a picture was refused. A picture that the server has no more is uploaded anew, by itself once;
   * otherwise it waits until somebody tries again.
   */
  private uploadAnew(item: Item, { shrunk, isKept, isAnew }: Copy, why: Refusal) {
    // The server keeps a picture without a message for minutes only.
    const mayTry = why.code === "picture_of_other_group" && !isAnew;
    dropEntry(this.environment.storage, this.room, item.id);
    item.picture = null;
    item.isAdopted = false;
    item.copy = copyOf(shrunk, isKept, mayTry);
    this.move(item, mayTry ? { is: "waiting" } : { is: "failed", why: translated(why), forGood: true });
    if (!mayTry) this.keep(item, item.copy);
  }

  private go() {
    void this.uploadNext();
    this.sendNext();
  }

  private sendNext() {
    // While one is on its way, its timer runs.
    if (!this.isLoaded || this.timers.isSet("send")) return;
    // It waits for every picture before it, unless that has failed.
    const next = this.items.find(({ stage }) => stage.is !== "failed" && stage.is !== "sent");
    if (next?.stage.is !== "ready") return;
    const wait = this.nextAt - this.environment.now();
    if (wait > 0) {
      this.timers.set("send", wait, () => this.go());
      return;
    }
    // While nobody listens it waits.
    if (!this.connection.send(sendFrame(this.lines.read().me, next))) return;
    next.stage = { is: "sent" };
    this.nextAt = this.environment.now() + PACE_MS;
    this.timers.set("send", ECHO_WITHIN_MS, () => {
      next.stage = { is: "ready" };
      this.connection.check();
      this.go();
    });
  }

  private async uploadNext() {
    // One at a time.
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
    // Another tab of the same seat gave it up, or sends it.
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

  /** Without a connection it waits; what the server refused stays so. */
  private uploadFailed(item: Item, copy: Copy, failure: unknown) {
    const forGood = failure instanceof ApiFailure && failure.status >= 400 && failure.status < 500;
    if (!forGood && !this.isConnected) return this.move(item, { is: "waiting" });
    const added = forGood && failure.message !== "" ? `: ${translated(failure.refusal)}` : "";
    this.move(item, { is: "failed", why: `${chatText.model.uploadFailed}${added}`, forGood });
    if (forGood) this.keep(item, copy);
    this.environment.showError(chatText.model.pictureNotSent);
  }

  private showSuccess(id: string) {
    const { later } = this.environment.socket;
    const say = (uploaded: true | undefined) =>
      this.lines.update((state) => changed(state, id, { uploaded }));
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
    // The order of what is said is that of its times.
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

  /** Storage and database keep their copies: all tabs of a seat share them. */
  private remove(item: Item) {
    this.items = this.items.filter((other) => other !== item);
    item.copy?.abort.abort();
    if (item.copy) dropPreview(item.copy);
    if (item.stage.is === "sent") this.timers.cancel("send");
  }

  /** Another tab sends the item now and may need what is kept of it. */
  private part(item: Item) {
    this.remove(item);
    this.lines.update((state) => dismissed(state, item.id));
  }

  private move(item: Item, stage: Stage) {
    item.stage = stage;
    this.show(item);
  }

  private show(item: Item) {
    const picture = item.picture ?? (item.copy ? previewOf(item.copy) : null);
    const delivery = deliveryOf(item.stage, this.isConnected);
    this.lines.update((state) => {
      const message = ownMessage(state.me, { ...item, picture }, delivery);
      // What is shown already may have another picture now, and be further on its way.
      return changed(queued(state, message), item.id, { picture, delivery });
    });
  }

  private keepEntry({ id, words, picture, reply, at }: Item) {
    keepEntry(this.environment.storage, this.room, { id, words, picture, reply, at });
  }

  private keep({ id, words: caption, reply, at, stage }: Item, copy: Copy) {
    const why = stage.is === "failed" && stage.forGood ? stage.why : undefined;
    const picture = { id, caption, reply, at, shrunk: copy.shrunk, why };
    void this.environment.kept.keep(picture).then((isKept) => {
      copy.isKept = isKept;
    });
  }

  private forgetKept({ id, copy }: Item) {
    if (copy) void this.environment.kept.drop(id);
    dropEntry(this.environment.storage, this.room, id);
  }
}
