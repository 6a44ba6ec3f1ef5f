import { LiveSocket, socketAddress } from "@/shared/live/LiveSocket";
import type { Environment } from "../environment";
import type { Ending, Connection as Standing } from "../model/chat";
import { type Frame, isLogged } from "../model/frames";
import { seatProtocols } from "./ask";
import { closeReason } from "./roomCalls";
import { type Timers, timersOf } from "./timers";

export type ConnectionListener = {
  /** The place in the log from which on everything is wanted. */
  since: () => number;
  frames: (frames: Frame[]) => void;
  standing: (standing: Standing) => void;
  /** From here on nothing is missed, and what is said is heard. */
  ready: (isAgain: boolean) => void;
  lost: () => void;
  looked: () => void;
  /** Too much was missed. Loads the newest page; false when that failed. */
  reload: () => Promise<boolean>;
  /** The server doesn't let anybody in: is that for good? */
  refusal: () => Promise<Ending | undefined>;
  ended: (why: Ending) => void;
};

/** Frames that come in one go are shown in one go. */
const TURN_MS = 16;
const BACK_SHOWN_MS = 2000;
/** How long the server may take to say that it listens. */
const READY_WITHIN_MS = 8000;
/** After so much silence it is asked whether it is still there. */
const SILENCE_MS = 45_000;

const ENDINGS: Record<number, Ending> = { 4403: "kicked", 4404: "left", 4410: "expired" };

/** A room's socket: it says how far the page has read, gets what was missed, and knows whether the connection works. */
export class Connection {
  private readonly room: string;
  private readonly environment: Pick<Environment, "socket" | "page">;
  private readonly listener: ConnectionListener;
  private readonly live: LiveSocket;
  private readonly timers: Timers;
  private heard: Frame[] = [];
  /** Frames that arrive while the room is reloaded. They are applied after the page, or there would be a gap. */
  private held: Frame[] | undefined;
  private standing: Standing = "connecting";
  private isOnline = true;
  private isOpen = false;
  private isReady = false;
  private isReloading = false;
  private wasReady = false;
  private unlisten: (() => void) | undefined;

  constructor(room: string, environment: Pick<Environment, "socket" | "page">, listener: ConnectionListener) {
    this.room = room;
    this.environment = environment;
    this.listener = listener;
    this.timers = timersOf(environment.socket);
    this.live = new LiveSocket(
      socketAddress(`/api/room/${room}/socket`),
      seatProtocols(),
      {
        opened: () => this.opened(),
        frame: (frame) => this.receive(frame as Frame),
        lost: () => this.lost(),
        ended: (code) => this.finish(ENDINGS[code] ?? "expired"),
      },
      environment.socket,
    );
  }

  start() {
    this.isOnline = this.environment.page.isOnline();
    this.unlisten ??= this.environment.page.listen({
      woke: () => this.woke(),
      offline: () => this.setOnline(false),
      looked: this.listener.looked,
    });
    this.live.start();
    this.show();
  }

  stop() {
    this.unlisten?.();
    this.unlisten = undefined;
    this.live.stop();
    this.heard = [];
    this.forget();
    this.timers.cancelAll();
  }

  /** Hands a message to the socket; false when nobody listens. */
  send(message: Record<string, unknown>): boolean {
    return this.isReady && this.live.send(this.framed(message));
  }

  /** Is the server still there? */
  check() {
    this.live.check(this.framed({ event: "event.active-users" }));
  }

  private framed(message: Record<string, unknown>) {
    return { action: "sendMessage", room_id: this.room, message };
  }

  private opened() {
    this.isOpen = true;
    this.connect((frame) => this.live.send(frame));
  }

  /** Says where this page stands, until the server says that it listens. */
  private connect(send: (frame: unknown) => void) {
    send(this.framed({ event: "event.connect", since: this.listener.since() }));
    this.timers.set("ready", READY_WITHIN_MS, () => this.connect((frame) => this.live.check(frame)));
  }

  private receive(frame: Frame) {
    // Whatever the browser thinks of the network: something came through it.
    this.setOnline(true);
    this.watch();
    this.heard.push(frame);
    if (this.timers.isSet("turn")) return;
    this.flush();
    // The first is shown at once, and those right behind it together.
    this.timers.set("turn", TURN_MS, () => this.flush());
  }

  private flush() {
    const frames = this.heard;
    this.heard = [];
    let shown: Frame[] = [];
    for (const frame of frames) {
      if (this.held && isLogged(frame)) {
        this.held.push(frame);
        continue;
      }
      if (frame.event === "event.ready" && frame.resumed && this.held) {
        shown.push(...this.held);
        this.held = undefined;
      }
      shown.push(frame);
      if (frame.event !== "event.ready" && frame.event !== "event.closed") continue;
      this.listener.frames(shown);
      shown = [];
      if (frame.event === "event.closed") this.finish(closeReason(frame) ?? "expired");
      else if (frame.resumed) this.ready();
      else void this.reload();
    }
    if (shown.length > 0) this.listener.frames(shown);
  }

  private ready() {
    this.timers.cancel("ready");
    const isAgain = this.wasReady;
    this.isReady = true;
    this.wasReady = true;
    // What waits is looked through before anything is sent.
    this.listener.ready(isAgain);
    this.show();
  }

  private async reload() {
    this.timers.cancel("ready");
    this.held ??= [];
    if (this.isReloading) return;
    this.isReloading = true;
    const isLoaded = await this.listener.reload();
    this.isReloading = false;
    // A newer socket may have replaced this one; it says by itself how far the page has read.
    if (!this.held || !this.isOpen) return;
    if (isLoaded) this.opened();
    else this.timers.set("ready", READY_WITHIN_MS / 4, () => void this.reload());
  }

  private lost() {
    const wasLetIn = this.isOpen;
    this.flush();
    this.forget();
    this.listener.lost();
    this.show();
    if (!wasLetIn) void this.askWhy();
  }

  private forget() {
    this.isOpen = false;
    this.isReady = false;
    this.held = undefined;
    this.timers.cancel("ready");
    this.timers.cancel("silence");
  }

  private async askWhy() {
    const why = await this.listener.refusal().catch(() => undefined);
    if (why && !this.isOpen && this.unlisten) this.finish(why);
  }

  private finish(why: Ending) {
    if (!this.unlisten) return;
    this.flush();
    this.stop();
    this.listener.ended(why);
  }

  private woke() {
    this.setOnline(this.environment.page.isOnline());
    this.check();
  }

  /** A connection can die without a word; only a page that is looked at has to know. */
  private watch() {
    this.timers.set("silence", SILENCE_MS, () => {
      if (this.environment.page.isVisible()) this.check();
      this.watch();
    });
  }

  private setOnline(isOnline: boolean) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.show();
  }

  private show() {
    const before = this.standing;
    const wasAway = before === "reconnecting" || before === "offline" || before === "back";
    if (!this.isOnline) this.standing = "offline";
    else if (this.isReady) this.standing = wasAway ? "back" : "live";
    else this.standing = this.wasReady ? "reconnecting" : "connecting";
    if (this.standing === before) return;
    this.timers.cancel("back");
    if (this.standing === "back") {
      this.timers.set("back", BACK_SHOWN_MS, () => {
        this.standing = "live";
        this.listener.standing("live");
      });
    }
    this.listener.standing(this.standing);
  }
}
