import { createStore, type StoreApi } from "zustand/vanilla";
import { chatText } from "@/shared/text/chatText";
import { CAPTION_MAX, CHAT_MAX } from "@/shared/wire/limits";
import { Connection } from "./Connection";
import type { ChatActions, Draft, Ending, Line, Message } from "./chat";
import { readDraft, writeDraft } from "./drafts";
import type { Frame } from "./frames";
import { History } from "./History";
import { changed, connected, dismissed, opened, queued, read, type Start, stillTyping } from "./happenings";
import { ownMessage, quoteOf, sendFrame } from "./messages";
import { type Entry, Outbox } from "./Outbox";
import { PictureQueue } from "./PictureQueue";
import { type Chat, reduceAll, TYPING_SHOWN_MS } from "./reduce";
import { forgetRoom } from "./storage";
import { lengthOf, said, tidy, whyFailed } from "./words";
import { realWorld, type World } from "./world";

/** The server passes typing on every two seconds; more often isn't worth a frame. */
const TYPING_EVERY_MS = 2000;
/** The server's own word should come first; this is for a room whose connection is gone. */
const EXPIRY_GRACE_MS = 1500;

/** A room somebody is in. It lives outside React: the store is what it shows, the actions are what can be done. */
export class ChatRoom implements ChatActions {
  readonly store: StoreApi<Chat>;
  private readonly world: World;
  private readonly connection: Connection;
  private readonly outbox: Outbox;
  private readonly pictures: PictureQueue;
  private readonly history: History;
  private typedAt = Number.NEGATIVE_INFINITY;
  private isAtEnd = true;
  private expiry: number | undefined;
  private typingTimer: number | undefined;
  private unlisten: (() => void) | undefined;

  constructor(start: Start, world: World = realWorld(start.data.id)) {
    const { id } = start.data;
    this.world = world;
    this.store = createStore(() => opened(start));
    const clock = { now: world.now, later: world.socket.later, cancel: world.socket.cancel };
    this.history = new History(world.calls, {
      read: () => this.state,
      update: this.update,
      ended: this.end,
      complain: (failure) => world.complain(whyFailed(failure)),
    });
    this.connection = new Connection(id, world, {
      since: () => this.state.lastSeq,
      frames: (frames) => this.hear(frames),
      standing: (standing) => this.update((state) => connected(state, standing)),
      ready: (isAgain) => {
        this.outbox.open();
        this.pictures.retryAll();
        if (isAgain) void this.history.refreshSeats();
      },
      lost: () => this.outbox.close(),
      reload: async () => {
        const isLoaded = await this.history.reload();
        if (isLoaded) this.settle(this.state.lines);
        return isLoaded;
      },
      refusal: world.calls.refusal,
      ended: this.end,
    });
    const deliver = (id: string, delivery: Message["delivery"]) => this.change(id, { delivery });
    this.outbox = new Outbox(
      id,
      world.storage,
      {
        send: (entry) => this.connection.say(sendFrame(this.state.me, entry)),
        sending: (id) => deliver(id, { state: "sending" }),
        failed: (id, why) => deliver(id, { state: "failed", why: said(why) }),
        gone: (id) => this.update((state) => dismissed(state, id)),
        silent: this.connection.check,
      },
      clock,
    );
    this.pictures = new PictureQueue(
      { ...world, ...clock },
      {
        queue: (entry, delivery) =>
          this.update((state) => {
            const message = ownMessage(state.me, entry, delivery);
            // A page that is looked at again has the message already, and its picture at an address of before.
            return changed(queued(state, message), entry.id, { picture: entry.picture, delivery });
          }),
        isPosted: (id) =>
          this.outbox.entries.some((entry) => entry.id === id) ||
          this.state.lines.some((line) => isSettled(line) && line.id === id),
        gone: (id) => this.update((state) => dismissed(state, id)),
        change: this.change,
        serve: (id, full) => {
          const shown = this.state.lines.findLast((line) => line.kind === "message" && line.id === id);
          if (shown?.kind === "message" && shown.picture) {
            this.change(id, { picture: { ...shown.picture, full } });
          }
        },
        post: (entry) => this.outbox.add(entry),
      },
    );
    // What was on its way when the page was left, and isn't known to have arrived.
    this.settle(this.state.lines);
    for (const entry of this.outbox.entries) this.show(entry);
  }

  private get state(): Chat {
    return this.store.getState();
  }

  readonly start = () => {
    if (this.state.ended) return;
    this.unlisten ??= this.world.page.listen({ woke: () => {}, offline: () => {}, looked: this.look });
    this.look();
    void this.pictures.open();
    const left = this.state.room.expiresAt - this.world.now() + EXPIRY_GRACE_MS;
    this.expiry ??= this.world.socket.later(() => this.end("expired"), Math.max(0, left));
    this.connection.start();
  };

  readonly stop = () => {
    this.connection.stop();
    this.outbox.close();
    this.pictures.close();
    this.unlisten?.();
    this.unlisten = undefined;
    for (const timer of [this.expiry, this.typingTimer]) {
      if (timer !== undefined) this.world.socket.cancel(timer);
    }
    this.expiry = undefined;
    this.typingTimer = undefined;
  };

  readonly send = (raw: string, replyTo?: Message) => {
    const words = tidy(raw);
    if (words === "" || this.state.ended) return;
    if (lengthOf(words) > CHAT_MAX) {
      this.world.complain(chatText.model.tooLong);
      return;
    }
    const entry: Entry = {
      id: this.world.newId(),
      words,
      picture: null,
      reply: quoteOf(replyTo),
      at: this.world.now(),
    };
    this.world.playSent();
    this.show(entry);
    this.outbox.add(entry);
  };

  readonly sendPicture = (file: Blob, raw: string, replyTo?: Message) => {
    const caption = tidy(raw);
    if (this.state.ended) return;
    if (lengthOf(caption) > CAPTION_MAX) {
      this.world.complain(chatText.model.captionTooLong);
      return;
    }
    this.world.playSent();
    this.pictures.add(this.world.newId(), file, caption, quoteOf(replyTo));
  };

  readonly retry = ({ id }: Message) => {
    if (!this.outbox.retry(id)) this.pictures.retry(id);
  };

  readonly dismiss = ({ id }: Message) => {
    this.pictures.drop(id);
    this.update((state) => dismissed(state, id));
    this.outbox.drop(id);
  };

  readonly unsend = ({ id }: Message) => {
    if (!this.connection.say({ event: "event.unsend", id })) this.world.complain(chatText.model.offline);
  };

  readonly typing = () => {
    const now = this.world.now();
    if (now - this.typedAt < TYPING_EVERY_MS) return;
    if (this.connection.say({ event: "event.typing" })) this.typedAt = now;
  };

  readonly loadOlder = () => this.history.loadOlder();

  readonly reach = (seq: number) => this.history.reach(seq);

  readonly markRead = () => this.update(read);

  readonly lookAtEnd = (isThere: boolean) => {
    this.isAtEnd = isThere;
    this.look();
  };

  readonly draft = (): Draft => readDraft(this.world.storage, this.state.room.id);

  readonly keepDraft = (draft: Draft) => {
    if (!this.state.ended) writeDraft(this.world.storage, this.state.room.id, draft);
  };

  readonly lock = (locked: boolean) => this.attempt(() => this.world.calls.lock(locked));

  readonly kick = (face: string, withMessages: boolean) =>
    this.attempt(() => this.world.calls.kick(face, withMessages));

  readonly close = () => this.attempt(this.world.calls.close, "deleted");

  readonly leave = () => this.attempt(this.world.calls.leave, "left");

  private async attempt(ask: () => Promise<unknown>, ending?: Ending): Promise<boolean> {
    try {
      await ask();
      if (ending) this.end(ending);
      return true;
    } catch (failure) {
      this.world.complain(whyFailed(failure));
      return false;
    }
  }

  private hear(frames: Frame[]) {
    const before = this.state;
    this.update((state) => reduceAll(state, frames, this.world.now()));
    let news: string | undefined;
    for (const frame of frames) {
      if (frame.event === "event.chat" || frame.event === "event.image") {
        if (frame.sender === before.me) this.settled(frame.id, frame.image_src);
        else if (frame.seq > before.lastSeq && !frame.unsent) news = frame.sender;
      } else if (
        frame.event === "event.error" &&
        frame.id != null &&
        !this.outbox.refused(frame.id, frame.message)
      ) {
        // Of the messages only one that is to be taken back can still be refused.
        this.world.complain(said(frame.message));
      }
    }
    if (news !== undefined && !this.world.page.isVisible()) this.world.notify(before.room, news);
    if (this.state.typing.length > 0) this.expectSilence();
  }

  private expectSilence() {
    this.typingTimer ??= this.world.socket.later(() => {
      this.typingTimer = undefined;
      this.update((state) => stillTyping(state, this.world.now()));
      if (this.state.typing.length > 0) this.expectSilence();
    }, TYPING_SHOWN_MS / 4);
  }

  /** One's own among these lines have arrived. */
  private settle(lines: Chat["lines"]) {
    for (const line of lines) if (isSettled(line)) this.settled(line.id, line.picture?.full);
  }

  private settled(id: string, picture: string | null | undefined) {
    this.outbox.arrived(id);
    this.pictures.settled(id, picture ?? "");
  }

  private show(entry: Entry) {
    this.update((state) => queued(state, ownMessage(state.me, entry, { state: "sending" })));
  }

  private readonly look = () => {
    const looking = this.isAtEnd && this.world.page.isVisible();
    this.update((state) => (state.looking === looking ? state : { ...state, looking }));
    if (looking) this.markRead();
  };

  private readonly change = (id: string, change: Partial<Message>) =>
    this.update((state) => changed(state, id, change));

  private readonly update = (change: (state: Chat) => Chat) => this.store.setState(change, true);

  private readonly end = (ended: Ending) => {
    if (this.state.ended) return;
    this.stop();
    this.pictures.forget();
    forgetRoom(this.world.storage, this.state.room.id);
    this.update((state) => ({ ...state, ended, typing: [], active: [] }));
  };
}

/** One's own, with a place in the log. */
function isSettled(line: Line): line is Message {
  return line.kind === "message" && line.mine && line.seq !== undefined;
}
