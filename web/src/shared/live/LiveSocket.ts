import { parsed } from "@/shared/json";

/** What the class needs of the environment. A test gives it another one. */
export type Environment = {
  open: (address: string, protocols: string[]) => WebSocket;
  later: (run: () => void, ms: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
};

export type Listener = {
  opened?: () => void;
  frame: (frame: object) => void;
  /** The socket is gone and another one will be tried. */
  lost: () => void;
  /** The server ended it for good, with this code; nothing more is tried. */
  ended: (code: number) => void;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** Codes from 4400 on are the server's own: it doesn't want this client back. */
const FINAL_FROM = 4400;
/** It has had too much of this client. Coming back at once would be more of the same. */
const TOO_MUCH = 1008;
const FAILURES_OF_TOO_MUCH = 6;
/** How long a socket that is asked something may keep silent. */
const ANSWERS_WITHIN_MS = 3000;

export const realEnvironment: Environment = {
  open: (address, protocols) => new WebSocket(address, protocols),
  later: (run, ms) => window.setTimeout(run, ms),
  cancel: (timer) => window.clearTimeout(timer),
  random: Math.random,
};

/**
 * A socket that comes back: each failure doubles the wait, and no two clients wait equally long, so that a server
 * that was restarted isn't run over. It knows nothing of React.
 */
export class LiveSocket {
  private readonly address: string;
  private readonly protocols: string[];
  private readonly listener: Listener;
  private readonly environment: Environment;
  private socket: WebSocket | undefined;
  private timer: number | undefined;
  private checking: number | undefined;
  private failures = 0;
  private stopped = true;

  constructor(
    address: string,
    protocols: string[],
    listener: Listener,
    environment: Environment = realEnvironment,
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

  /** Returns whether the text was sent. If not, the caller keeps it. */
  send(frame: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** The network is back or the page woke up: a wait is cut short, and a socket that may be dead is replaced. */
  wake() {
    if (this.stopped) return;
    this.drop();
    this.failures = 0;
    this.connect();
  }

  /**
   * The page may have slept: a socket that is there is asked something, and replaced if nothing comes. A good one
   * isn't dropped for it. A wait for the next try is cut short.
   */
  check(question: unknown) {
    if (this.stopped || this.checking !== undefined) return;
    if (!this.socket) return this.wake();
    // A socket that is still opening can't be asked, but it has to be open in time.
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
      // Only what the server has said proves that it is there: an open socket may be a proxy's.
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

  /** Its `close` event is ignored, and all timers stop. */
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
