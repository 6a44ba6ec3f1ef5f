import { locale } from "@/shared/text/language";

const DAY_MS = 86_400_000;
/** How far the server's clock may be ahead before its "now" is taken for yesterday. */
const AHEAD_MS = 3_600_000;

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

/** The same as a clock here shows it. */
export function clockTime(time: string | number, now: number): string {
  const moment = momentOf(time, now);
  if (Number.isNaN(moment)) return "";
  formatter ??= new Intl.DateTimeFormat(locale(), { timeStyle: "short" });
  return formatter.format(moment);
}
