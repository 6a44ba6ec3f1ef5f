import { locale } from "@/shared/text/language";

export const DAY_MS = 86_400_000;
/** How far the server's clock may be ahead before its "now" is taken for yesterday. */
const AHEAD_MS = 3_600_000;

/** The server's clock may be corrected by less than this, which is no new day. */
const CLOCK_STEP_MS = 60_000;

let formatter: Intl.DateTimeFormat | undefined;

/**
 * When a line was written, in milliseconds. The server says `hh:mm:ss.fff` without a day: taken for the last time the
 * clock stood there. Where an operator lets groups live for longer than a day, it may be days earlier, but the clock of
 * it is the same, and no more of it is shown; whether it is too late to take a message back the server knows.
 */
export function momentOf(time: string | number, now: number): number {
  if (typeof time === "number") return time;
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  const midnight = now - (now % DAY_MS);
  const today = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return today > now + AHEAD_MS ? today - DAY_MS : today;
}

type Timed = { time: string | number };

/** Whether midnight lies between two lines, one after the other: by the clock here the later one is the earlier. */
export function isNewDay(before: Timed | undefined, line: Timed): boolean {
  if (!before) return false;
  // Until the server has said when it came, a line of one's own has the time of a clock that may be off.
  const tolerance = typeof line.time === "number" ? DAY_MS / 2 : CLOCK_STEP_MS;
  return sinceMidnight(line.time) < sinceMidnight(before.time) - tolerance;
}

function sinceMidnight(time: string | number): number {
  return here(momentOf(time, Date.now())) % DAY_MS;
}

/** The local time of a moment, as if it were UTC. */
export function here(moment: number): number {
  return moment - new Date(moment).getTimezoneOffset() * 60_000;
}

/** The same as a clock here shows it. */
export function clockTime(time: string | number, now: number): string {
  const moment = momentOf(time, now);
  if (Number.isNaN(moment)) return "";
  formatter ??= new Intl.DateTimeFormat(locale(), { timeStyle: "short" });
  return formatter.format(moment);
}
