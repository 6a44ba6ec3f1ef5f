import { createStore, type StoreApi } from "zustand/vanilla";
import { ApiFailure } from "@/shared/api/client";
import { SEAT_WAITS_SECONDS } from "@/shared/contract/limits";
import { keepSeen } from "@/shared/keptRooms";
import { failureText, translated, unansweredText } from "@/shared/text/failureText";
import { Connection } from "./connection/Connection";
import { type Timers, timersOf } from "./connection/timers";
import { type Environment, realEnvironment } from "./environment";
import { historyOf } from "./history/historyOf";
import { shownPictures } from "./history/shownPictures";
import { type ChatState, type Draft, type Ending, isConnected, type Message } from "./model/chat";
import type { Frame } from "./model/frames";
import { mentions, withEmojis } from "./model/mentions";
import { reduceAll, TYPING_SHOWN_MS } from "./model/reduce";
import { opened, type Start, stillTyping } from "./model/transitions";
import { Reacting } from "./sending/Reacting";
import { SendQueue } from "./sending/SendQueue";
import { forgetRoom, keepDraft, keptDraft } from "./storage";

/** The server passes typing on only every two seconds, so more frames than that are of no use. */
const TYPING_EVERY_MS = 2000;
/** How long after its end a room closes by itself. With a connection the server says so earlier. */
const EXPIRY_GRACE_MS = 1500;

/** What a person can do in a room. No method throws: a failure is shown as a notice or in the state. */
export type ChatActions = Omit<ChatRoom, "store">;

/**
 * A room that the visitor is in. It lives outside React: the screen shows what is in `store`, and calls the methods for
 * what a person does.
 */
export class ChatRoom {
  readonly store: StoreApi<ChatState>;
  private readonly environment: Environment;
  private readonly connection: Connection;
  private readonly sending: SendQueue;
  private readonly reacting: Reacting;
  private readonly history: ReturnType<typeof historyOf>;
  private readonly begun: number;
  private typedAt = Number.NEGATIVE_INFINITY;
  private readonly timers: Timers;
  private isAtEnd = true;
  private wasIn = false;
  /** The number of seen messages that was last written to this device. */
  private seen: number | undefined;

  constructor(start: Start, open: Environment = realEnvironment(start.data.id, start.expiresAt)) {
    const { id } = start.data;
    const environment = start.seal?.environment(open) ?? open;
    this.environment = environment;
    this.timers = timersOf(environment.socket);
    this.begun = environment.now();
    this.store = createStore(() => opened(start));
    const chat = { read: () => this.state, update: this.update };
    this.history = historyOf(environment.calls, chat, (failure, isAsked) => {
      if (failure instanceof ApiFailure && failure.status === 404) this.end("expired");
      else if (isAsked) environment.showError(failureText(failure));
    });
    this.connection = new (start.seal?.Connection ?? Connection)(id, environment, {
      since: () => this.state.lastSeq,
      frames: (frames) => this.receive(frames),
      state: (connection) => {
        this.update((state) => ({ ...state, connection }));
        this.sending.connected(isConnected({ connection }));
      },
      ready: (isAgain) => {
        this.wasIn = true;
        this.sending.open();
        this.reacting.open();
        if (isAgain) void this.history.refreshSeats();
      },
      lost: () => {
        this.sending.sendAgain();
        this.reacting.lost();
      },
      visibilityChanged: () => this.updateSeesEnd(),
      reload: async () => {
        const isLoaded = await this.history.reload();
        if (isLoaded) this.sending.settle(this.state.lines);
        this.reacting.settle();
        return isLoaded;
      },
      refusal: async () => {
        const why = await environment.calls.refusal();
        // Leaving in any tab removes the emoji from the device.
        if (why !== "left" || environment.storage.getItem(id) === null) return why;
        // The seat was just taken, and the socket refuses it: the browser has dropped the cookie. The page asks for
        // another seat, which it carries itself. It asks once only: asking more often would fill the group.
        const wasDropped = !this.wasIn && environment.now() - this.begun < SEAT_WAITS_SECONDS * 1000;
        return wasDropped && !environment.carrySeat() ? why : "lapsed";
      },
      ended: this.end,
    });
    this.sending = new SendQueue(id, environment, chat, this.connection);
    this.reacting = new Reacting(id, environment, chat, this.connection);
  }

  private get state(): ChatState {
    return this.store.getState();
  }

  /** Connects, and connects again whenever the connection is lost, until `stop`. */
  readonly start = () => {
    if (this.state.ended) return;
    this.updateSeesEnd();
    void this.sending.start();
    const left = this.state.room.expiresAt - this.environment.now() + EXPIRY_GRACE_MS;
    if (Number.isFinite(left)) this.timers.set("expiry", Math.max(0, left), () => this.end("expired"));
    this.connection.start();
  };

  readonly stop = () => {
    this.connection.stop();
    this.sending.stop();
    this.reacting.stop();
    shownPictures.forgetAll();
    this.timers.cancelAll();
  };

  /** Shows the message immediately. It is sent as soon as possible, and arrives once. */
  readonly send = (raw: string, replyTo?: Message) => {
    if (!this.state.ended) this.sending.words(raw, replyTo);
  };

  /** Shrinks the picture, uploads both forms and sends it. The preview dialog is closed by then. */
  readonly sendPicture = (file: Blob, raw: string, replyTo?: Message) => {
    if (!this.state.ended) void this.sending.picture(file, raw, replyTo);
  };

  readonly retry = ({ id }: Message) => this.sending.retry(id);

  /** Gives up a message that failed, or a picture that isn't uploaded yet. */
  readonly dismiss = ({ id }: Message) => this.sending.dismiss(id);

  readonly retract = ({ id }: Message) => {
    if (!this.connection.send({ event: "event.unsend", id })) this.environment.showError(unansweredText());
  };

  /** Reacts to a message, or takes that reaction back. It is shown immediately and sent as soon as possible. */
  readonly react = ({ seq }: Pick<Message, "seq">, sign: string) => {
    if (seq !== undefined && !this.state.ended) this.reacting.toggle(seq, sign);
  };

  /** Called for every key. Tells the server at most once in `TYPING_EVERY_MS`. */
  readonly typing = () => {
    const now = this.environment.now();
    if (now - this.typedAt < TYPING_EVERY_MS) return;
    if (this.connection.send({ event: "event.typing" })) this.typedAt = now;
  };

  readonly loadOlder = () => this.history.loadOlder();

  /** Loads older pages until the line at `seq` is there; false when the room no longer has it. */
  readonly reach = (seq: number) => this.history.reach(seq);

  /** Counts all shown messages as read. `unreadFrom` stays until the next unread message, or one of one's own. */
  readonly markRead = () =>
    this.update((state) => (state.unread === 0 ? state : { ...state, unread: 0, mentioned: false }));

  /** Says whether the newest line is on screen. If it is, and the page is visible, new messages count as read. */
  readonly setAtEnd = (isThere: boolean) => {
    this.isAtEnd = isThere;
    this.updateSeesEnd();
  };

  /** What was typed and not sent. It is still there after a reload. */
  readonly draft = (): Draft => keptDraft(this.environment.storage, this.state.room.id);

  readonly keepDraft = (draft: Draft) => {
    if (!this.state.ended) keepDraft(this.environment.storage, this.state.room.id, draft);
  };

  /** From here to `close`: for the creator only. Each resolves to true if it was done; a failure shows a notice. */
  readonly lock = (locked: boolean) => this.attempt(() => this.environment.calls.setUp({ locked }));

  readonly askFirst = async (askFirst: boolean) => {
    const done = await this.attempt(() => this.environment.calls.setUp({ ask_first: askFirst }));
    if (done) this.hearAskFirst(askFirst);
    return done;
  };

  /** No frame of the room says so, since members hear nothing of it. */
  readonly hearAskFirst = (askFirst: boolean) =>
    this.update((state) =>
      state.room.askFirst === askFirst ? state : { ...state, room: { ...state.room, askFirst } },
    );

  /** The link before leads nobody in any more who has no seat. */
  readonly newLink = () =>
    this.attempt(async () => {
      const link = await this.environment.calls.newLink();
      this.update((state) => ({ ...state, room: { ...state.room, link } }));
    });

  readonly kick = (emoji: string, withMessages: boolean) =>
    this.attempt(() => this.environment.calls.kick(emoji, withMessages));

  readonly retractAsCreator = async ({ seq }: Message) =>
    seq !== undefined && (await this.attempt(() => this.environment.calls.retract(seq)));

  readonly close = () => this.attempt(this.environment.calls.close, "deleted");

  readonly leave = () => this.attempt(this.environment.calls.leave, "left");

  private async attempt(ask: () => Promise<unknown>, ending?: Ending): Promise<boolean> {
    try {
      await ask();
      if (ending) this.end(ending);
      return true;
    } catch (failure) {
      this.environment.showError(failureText(failure));
      return false;
    }
  }

  private receive(frames: Frame[]) {
    const before = this.state;
    this.update((state) => reduceAll(state, frames, this.environment.now()));
    if (frames.some(({ event }) => event === "event.unsend")) {
      const left = new Set(picturesOf(this.state));
      shownPictures.forget(picturesOf(before).filter((address) => !left.has(address)));
    }
    let news: { sender: string; mentionsMe: boolean } | undefined;
    for (const frame of frames) {
      if (frame.event === "event.chat" || frame.event === "event.image") {
        if (frame.sender === before.me) this.sending.settled(frame.id);
        else if (frame.seq > before.lastSeq && !frame.unsent) {
          const words = frame.message || frame.caption;
          news = { sender: frame.sender, mentionsMe: news?.mentionsMe || mentions(words, before.me) };
        }
      } else if (frame.event === "event.error" && frame.id) {
        const isKnown = this.sending.refused(frame.id, frame) || this.reacting.refused(frame.id, frame);
        // The refused message is not in the queue, so the server refused to take it back.
        if (!isKnown) this.environment.showError(translated(frame));
      }
    }
    this.reacting.settle();
    if (news) this.announce(before, news);
    if (this.state.typing.size > 0) this.watchTyping();
  }

  /** Plays no sound for messages that are in view, or that were sent while the connection was lost. */
  private announce(state: ChatState, news: { sender: string; mentionsMe: boolean }) {
    const { page, notify, playArrived } = this.environment;
    const { room, seesEnd } = state;
    if (isConnected(state) && !(seesEnd && page.isFocused())) playArrived();
    if (!page.isVisible()) notify(room, news.sender, news.mentionsMe);
  }

  private watchTyping() {
    if (this.timers.isSet("typing")) return;
    this.timers.set("typing", TYPING_SHOWN_MS / 4, () => {
      this.update((state) => stillTyping(state, this.environment.now()));
      if (this.state.typing.size > 0) this.watchTyping();
    });
  }

  private updateSeesEnd() {
    const seesEnd = this.isAtEnd && this.environment.page.isVisible();
    this.update((state) => (state.seesEnd === seesEnd ? state : { ...state, seesEnd }));
    if (seesEnd) this.markRead();
  }

  private readonly update = (change: (state: ChatState) => ChatState) => {
    this.store.setState((state) => withEmojis(change(state), state), true);
    this.keepSeen();
  };

  /** Writes the number of read messages to the device, for the list of groups. */
  private keepSeen() {
    const { messageCount, unread, ended, room } = this.state;
    const seen = messageCount - unread;
    if (ended || seen === this.seen || !this.environment.page.isVisible()) return;
    this.seen = seen;
    keepSeen(this.environment.storage, room.id, seen);
  }

  private readonly end = (ended: Ending) => {
    if (this.state.ended) return;
    this.stop();
    const unsent = this.draft().words;
    // Pending messages wait for the next seat.
    if (ended !== "lapsed") {
      this.sending.forget();
      forgetRoom(this.environment.storage, this.state.room.id);
    }
    this.update((state) => ({ ...state, ended, unsent, typing: new Map(), active: [] }));
  };
}

function picturesOf({ lines }: ChatState): string[] {
  return lines.flatMap((line) => {
    const picture = line.kind === "message" ? line.picture : null;
    return picture ? [picture.full, picture.tiny ?? picture.full] : [];
  });
}
