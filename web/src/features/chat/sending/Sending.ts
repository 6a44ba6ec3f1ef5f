import type { Said } from "@/shared/api/client";
import { characters } from "@/shared/text/characters";
import { chatText } from "@/shared/text/chatText";
import { translated } from "@/shared/text/failureText";
import { CAPTION_MAX, CHAT_MAX } from "@/shared/wire/limits";
import type { Line, Message } from "../model/chat";
import { changed, dismissed, queued } from "../model/happenings";
import type { Chat } from "../model/reduce";
import type { World } from "../world";
import { ownMessage, quoteOf, sendFrame } from "./messages";
import { type Entry, Outbox } from "./Outbox";
import { type PictureCarrier, PictureQueue } from "./PictureQueue";
import { tidy } from "./words";

export type SendingRoom = {
  read: () => Chat;
  update: (change: (state: Chat) => Chat) => void;
  /** Hands a frame to the socket; false when there is none. */
  say: (message: Record<string, unknown>) => boolean;
  /** The server has said nothing of what was sent. */
  silent: () => void;
};

/** What one says, from the moment it is said until it has its place in the log: words, and pictures with theirs. */
export class Sending {
  private readonly world: World;
  private readonly room: SendingRoom;
  private readonly outbox: Outbox;
  private readonly pictures: PictureQueue;
  private lastAt = 0;

  constructor(id: string, world: World, room: SendingRoom) {
    this.world = world;
    this.room = room;
    const clock = { now: world.now, later: world.socket.later, cancel: world.socket.cancel };
    const deliver = (id: string, delivery: Message["delivery"]) => this.change(id, { delivery });
    this.outbox = new Outbox(
      id,
      world.storage,
      {
        send: (entry) => room.say(sendFrame(room.read().me, entry)),
        isBehind: (at) => this.pictures.isAhead(at),
        sending: (id) => deliver(id, { state: "sending" }),
        failed: (id, why) => {
          // A picture's message comes again when the picture has been uploaded anew.
          if (this.pictures.refused(id, why)) this.outbox.drop(id);
          else deliver(id, { state: "failed", why: translated(why) });
        },
        gone: (id) => {
          this.pictures.forsake(id);
          this.gone(id);
        },
        silent: room.silent,
      },
      clock,
    );
    this.pictures = new PictureQueue({ ...world, ...clock }, this.carrier());
    // What was on its way when the page was left, and isn't known to have arrived.
    this.settle(room.read().lines);
    for (const entry of this.outbox.entries) this.show(entry);
  }

  /** Somebody looks at the room. */
  start() {
    void this.pictures.open();
  }

  stop() {
    this.outbox.close();
    this.pictures.close();
  }

  /** Whether the room can be reached: its socket is open and the device has a network. */
  connected(isConnected: boolean) {
    this.pictures.connected(isConnected);
  }

  /** The server listens. */
  open() {
    this.outbox.open();
  }

  /** It doesn't any more. */
  lost() {
    this.outbox.close();
  }

  /** The room is over. */
  forget() {
    this.pictures.forget();
  }

  words(raw: string, replyTo: Message | undefined) {
    const words = tidy(raw);
    if (words === "") return;
    if (characters(words) > CHAT_MAX) {
      this.world.complain(chatText.model.tooLong);
      return;
    }
    const entry: Entry = {
      id: this.world.newId(),
      words,
      picture: null,
      reply: quoteOf(replyTo),
      at: this.nextAt(),
    };
    this.world.playSent();
    this.show(entry);
    this.outbox.add(entry);
  }

  picture(file: Blob, raw: string, replyTo: Message | undefined) {
    const caption = tidy(raw);
    if (characters(caption) > CAPTION_MAX) {
      this.world.complain(chatText.model.captionTooLong);
      return;
    }
    this.world.playSent();
    this.pictures.add(this.world.newId(), file, caption, quoteOf(replyTo), this.nextAt());
  }

  retry(id: string) {
    if (!this.outbox.retry(id)) this.pictures.retry(id);
  }

  dismiss(id: string) {
    this.pictures.drop(id);
    this.gone(id);
    this.outbox.drop(id);
  }

  /** False when it was none of what is on its way. */
  refused(id: string, why: Said): boolean {
    return this.outbox.refused(id, why);
  }

  /** One's own among these lines have arrived. */
  settle(lines: readonly Line[]) {
    for (const line of lines) if (isSettled(line)) this.settled(line.id, line.picture?.full);
  }

  settled(id: string, picture: string | null | undefined) {
    this.outbox.arrived(id);
    this.pictures.settled(id, picture ?? "");
  }

  private carrier(): PictureCarrier {
    const { room } = this;
    return {
      queue: (entry, delivery) =>
        room.update((state) => {
          const message = ownMessage(state.me, entry, delivery);
          // A page that is looked at again has the message already, and its picture at an address of before.
          return changed(queued(state, message), entry.id, { picture: entry.picture, delivery });
        }),
      isPosted: (id) => this.outbox.entries.some((entry) => entry.id === id),
      isSettled: (id) => room.read().lines.some((line) => isSettled(line) && line.id === id),
      gone: this.gone,
      change: this.change,
      serve: (id, full) => {
        const shown = room.read().lines.findLast((line) => line.kind === "message" && line.id === id);
        if (shown?.kind === "message" && shown.picture) {
          this.change(id, { picture: { ...shown.picture, full, format: undefined } });
        }
      },
      post: (entry) => this.outbox.add(entry),
      goOn: () => this.outbox.go(),
    };
  }

  /** The order of what is said is that of its times. */
  private nextAt(): number {
    this.lastAt = Math.max(this.world.now(), this.lastAt + 1);
    return this.lastAt;
  }

  private show(entry: Entry) {
    this.room.update((state) => queued(state, ownMessage(state.me, entry, { state: "sending" })));
  }

  private readonly gone = (id: string) => this.room.update((state) => dismissed(state, id));

  private readonly change = (id: string, change: Partial<Message>) =>
    this.room.update((state) => changed(state, id, change));
}

/** One's own, with a place in the log. */
function isSettled(line: Line): line is Message {
  return line.kind === "message" && line.mine && line.seq !== undefined;
}
