import { LiveSocket, socketAddress } from "@/shared/live/LiveSocket";
import type { Environment } from "../environment";
import type { ConnectionState, Ending } from "../model/chat";
import { type Frame, isLogged } from "../model/frames";
import { seatProtocols } from "./ask";
import { closeReason } from "./roomCalls";
import { type Timers, timersOf } from "./timers";

export type ConnectionListener = {
  /** The `seq` of the last event that the page has. */
  since: () => number;
  frames: (frames: Frame[]) => void;
  state: (state: ConnectionState) => void;
  /** All missed events have come, and messages can be sent. `isAgain` is false the first time. */
  ready: (isAgain: boolean) => void;
  lost: () => void;
  visibilityChanged: () => void;
  /** Too many events were missed. Loads the newest page; resolves to false if that failed. */
  reload: () => Promise<boolean>;
  /** The server refuses the socket. Resolves to the reason if the room is over for this visitor. */
  refusal: () => Promise<Ending | undefined>;
  ended: (why: Ending) => void;
};

/** Frames that come within this time are applied together. */
const BATCH_MS = 16;
const BACK_SHOWN_MS = 2000;
/** How long the server may take to answer `event.connect`. */
const READY_WITHIN_MS = 8000;
/** If no frame comes for this long, the server is asked whether it is still there. */
const SILENCE_MS = 45_000;

const ENDINGS: Record<number, Ending> = { 4403: "kicked", 4404: "left", 4410: "expired" };

/** A room's socket: asks for the events that were missed, and knows whether the connection works. */
export class Connection {
  private readonly room: string;
  private readonly environment: Pick<Environment, "socket" | "page">;
  private readonly listener: ConnectionListener;
  private readonly live: LiveSocket;
  private readonly timers: Timers;
  private received: Frame[] = [];
  /** Frames that arrive while the room is reloaded. They are applied after the page, or there would be a gap. */
  private held: Frame[] | undefined;
  private state: ConnectionState = "connecting";
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
      visibilityChanged: this.listener.visibilityChanged,
    });
    this.live.start();
    this.updateState();
  }

  stop() {
    this.unlisten?.();
    this.unlisten = undefined;
    this.live.stop();
    this.received = [];
    this.forget();
    this.timers.cancelAll();
  }

  /** Hands a message to the socket; false if the room is not connected. */
  send(message: Record<string, unknown>): boolean {
    return this.isReady && this.live.send(this.framed(message));
  }

  /** Asks the server for a sign of life, and reconnects if none comes. */
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

  /** Sends the last `seq` that the page has, again and again until the server answers `event.ready`. */
  private connect(send: (frame: unknown) => void) {
    send(this.framed({ event: "event.connect", since: this.listener.since() }));
    this.timers.set("ready", READY_WITHIN_MS, () => this.connect((frame) => this.live.check(frame)));
  }

  protected receive(frame: Frame) {
    // A frame came through, even if the browser says that there is no network.
    this.setOnline(true);
    this.watch();
    this.received.push(frame);
    if (this.timers.isSet("batch")) return;
    this.flush();
    // The first frame is shown immediately, and those that follow within this time together.
    this.timers.set("batch", BATCH_MS, () => this.flush());
  }

  private flush() {
    const frames = this.received;
    this.received = [];
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
    // During a pause there are no sockets.
    delete document.documentElement.dataset.paused;
    this.timers.cancel("ready");
    const isAgain = this.wasReady;
    this.isReady = true;
    this.wasReady = true;
    // The send queue learns first that it may send; then the screen learns that the room is connected.
    this.listener.ready(isAgain);
    this.updateState();
  }

  private async reload() {
    this.timers.cancel("ready");
    this.held ??= [];
    if (this.isReloading) return;
    this.isReloading = true;
    const isLoaded = await this.listener.reload();
    this.isReloading = false;
    // If a newer socket has replaced this one, that socket sends its own `event.connect`.
    if (!this.held || !this.isOpen) return;
    if (isLoaded) this.opened();
    else this.timers.set("ready", READY_WITHIN_MS / 4, () => void this.reload());
  }

  private lost() {
    const wasLetIn = this.isOpen;
    this.flush();
    this.forget();
    this.listener.lost();
    this.updateState();
    if (!wasLetIn) void this.askWhy();
  }

  protected forget() {
    this.isOpen = false;
    this.isReady = false;
    this.held = undefined;
    this.timers.cancel("ready");
    this.timers.cancel("silence");
  }

  private async askWhy() {
    const why = await this.listener.refusal().catch(() => undefined);
    if (why && !this.isOpen && this.unlisten) this.finish(why);
    else this.updateState();
  }

  protected finish(why: Ending) {
    if (!this.unlisten) return;
    this.flush();
    this.stop();
    this.listener.ended(why);
  }

  private woke() {
    this.setOnline(this.environment.page.isOnline());
    this.check();
  }

  /** A connection can break without any event. Only a visible page has to notice. */
  private watch() {
    this.timers.set("silence", SILENCE_MS, () => {
      if (this.environment.page.isVisible()) this.check();
      this.watch();
    });
  }

  private setOnline(isOnline: boolean) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.updateState();
  }

  private updateState() {
    const before = this.state;
    const wasAway = before !== "connecting" && before !== "live";
    if (!this.isOnline) this.state = "offline";
    else if (this.isReady) this.state = wasAway ? "back" : "live";
    else if (document.documentElement.dataset.paused) this.state = "paused";
    else this.state = this.wasReady ? "reconnecting" : "connecting";
    if (this.state === before) return;
    this.timers.cancel("back");
    if (this.state === "back") {
      this.timers.set("back", BACK_SHOWN_MS, () => {
        this.state = "live";
        this.listener.state("live");
      });
    }
    this.listener.state(this.state);
  }
}
