import { parsed } from "@/shared/json";

/** What the class needs from outside. Tests replace it. */
export type SocketEnvironment = {
  open: (address: string, protocols: string[]) => WebSocket;
  later: (run: () => void, ms: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
};

export type Listener = {
  opened?: () => void;
  frame: (frame: object) => void;
  /** The socket is closed, and another one will be opened. */
  lost: () => void;
  /** The server closed the socket with this final code. No other one will be opened. */
  ended: (code: number) => void;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** From this close code on the server does not want this client to connect again. */
const FINAL_FROM = 4400;
/** The close code for a client that sent too much. The next attempt waits as after this many failures. */
const TOO_MUCH = 1008;
const FAILURES_OF_TOO_MUCH = 6;
/** How long the server may take to answer when the socket is checked. */
const ANSWERS_WITHIN_MS = 3000;

export const realSocketEnvironment: SocketEnvironment = {
  open: (address, protocols) => new WebSocket(address, protocols),
  later: (run, ms) => window.setTimeout(run, ms),
  cancel: (timer) => window.clearTimeout(timer),
  random: Math.random,
};

/**
 * A socket that reconnects. Each failure doubles the wait, of which a random part is left out, so that not all clients
 * come back at the same moment after the server was restarted. Does not depend on React.
 */
export class LiveSocket {
  private readonly address: string;
  private readonly protocols: string[];
  private readonly listener: Listener;
  private readonly environment: SocketEnvironment;
  private socket: WebSocket | undefined;
  private timer: number | undefined;
  private checking: number | undefined;
  private failures = 0;
  private stopped = true;

  constructor(
    address: string,
    protocols: string[],
    listener: Listener,
    environment: SocketEnvironment = realSocketEnvironment,
  ) {
    this.address = address;
    this.protocols = protocols;
    this.listener = listener;
    this.environment = environment;
  }

  start() {
    if (!this.stopped) return;
    this.stopped = false;
    this.connect();
  }

  stop() {
    this.stopped = true;
    this.drop();
  }

  /** Returns whether the frame was sent. If not, the caller has to keep it. */
  send(frame: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** For when the network is back or the page woke up: connects a new socket without waiting, and drops the old one. */
  wake() {
    if (this.stopped) return;
    this.drop();
    this.failures = 0;
    this.connect();
  }

  /**
   * For when the page may have slept: sends `question`, and replaces the socket if no answer comes in time. Without a
   * socket it reconnects without waiting.
   */
  check(question: unknown) {
    if (this.stopped || this.checking !== undefined) return;
    if (!this.socket) return this.wake();
    // A socket that is still opening can't send, but it has to be open in time.
    this.send(question);
    this.checking = this.environment.later(() => {
      this.checking = undefined;
      this.listener.lost();
      this.wake();
    }, ANSWERS_WITHIN_MS);
  }

  private connect() {
    const socket = this.environment.open(this.address, this.protocols);
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.cancelCheck();
      this.listener.opened?.();
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      // Only a frame proves that the server is there: an open socket may lead only to a proxy.
      this.failures = 0;
      this.cancelCheck();
      const frame = parsed(data);
      if (typeof frame === "object" && frame !== null) this.listener.frame(frame);
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.cancelCheck();
      if (code >= FINAL_FROM) {
        this.stopped = true;
        this.listener.ended(code);
        return;
      }
      if (code === TOO_MUCH) this.failures = Math.max(this.failures, FAILURES_OF_TOO_MUCH);
      this.listener.lost();
      this.retry();
    };
  }

  /** Closes the socket, ignores its `close` event, and stops all timers. */
  private drop() {
    const { socket } = this;
    this.socket = undefined;
    socket?.close(1000);
    this.cancelTimers();
  }

  private retry() {
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.failures, LONGEST_WAIT_MS);
    this.failures += 1;
    this.timer = this.environment.later(
      () => {
        this.timer = undefined;
        this.connect();
      },
      longest * (0.5 + this.environment.random() / 2),
    );
  }

  private cancelTimers() {
    if (this.timer !== undefined) this.environment.cancel(this.timer);
    this.timer = undefined;
    this.cancelCheck();
  }

  private cancelCheck() {
    if (this.checking !== undefined) this.environment.cancel(this.checking);
    this.checking = undefined;
  }
}

export function socketAddress(path: string): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${path}`;
}
