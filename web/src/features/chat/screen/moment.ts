import { locale } from "@/shared/text/language";

export const DAY_MS = 86_400_000;
/** How far the server's clock may be ahead. A time that is later than this counts as yesterday's. */
const AHEAD_MS = 3_600_000;

/** A line may be earlier than the last by less than this without a new day, if the server's clock was corrected. */
const CLOCK_STEP_MS = 60_000;

let formatter: Intl.DateTimeFormat | undefined;

/**
 * When a line was written, in milliseconds. The server sends `hh:mm:ss.fff` without a day; this takes the last moment at
 * which a clock showed that. In groups that live for longer than a day the line can be days older. But only the time is
 * shown, and the server decides whether it is too late to take a message back.
 */
export function momentOf(time: string | number, now: number): number {
  if (typeof time === "number") return time;
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  const midnight = now - (now % DAY_MS);
  const today = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return today > now + AHEAD_MS ? today - DAY_MS : today;
}

type Timed = { time: string | number };

/** Whether midnight was between two consecutive lines: then the later line has the earlier local time. */
export function isNewDay(before: Timed | undefined, line: Timed): boolean {
  if (!before) return false;
  // Only a page that knows the days of both can see that more than one has passed.
  if (typeof before.time === "number" && typeof line.time === "number")
    return dayOf(before.time) < dayOf(line.time);
  // A line that the server does not have yet has the time of this device's clock, which may be wrong.
  const tolerance = typeof line.time === "number" ? DAY_MS / 2 : CLOCK_STEP_MS;
  return sinceMidnight(line.time) < sinceMidnight(before.time) - tolerance;
}

function sinceMidnight(time: string | number): number {
  return here(momentOf(time, Date.now())) % DAY_MS;
}

/** The local day of a moment, in days since 1970. */
export function dayOf(moment: number): number {
  return Math.floor(here(moment) / DAY_MS);
}

/** The local time of a moment, as if it were UTC. */
export function here(moment: number): number {
  return moment - new Date(moment).getTimezoneOffset() * 60_000;
}

/** The local time of a line, as it is shown. */
export function clockTime(time: string | number, now: number): string {
  const moment = momentOf(time, now);
  if (Number.isNaN(moment)) return "";
  formatter ??= new Intl.DateTimeFormat(locale(), { timeStyle: "short" });
  return formatter.format(moment);
}
