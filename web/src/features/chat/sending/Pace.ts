/** Eight a second: the server takes ten, and there is more to say than messages. */
const PACE_MS = 125;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;

/** When the next message may be sent: not too soon after the last, and later each time the server is too busy for one. */
export class Pace {
  private from = 0;
  private pause = FIRST_PAUSE_MS;

  wait(now: number): number {
    return this.from - now;
  }

  sent(now: number) {
    this.from = now + PACE_MS;
  }

  refused(now: number) {
    this.from = now + this.pause;
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }

  /** The server listens, or has taken one: the next refusal is a first one again. */
  succeeds() {
    this.pause = FIRST_PAUSE_MS;
  }
}
