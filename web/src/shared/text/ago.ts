import { locale } from "./language";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was: for a week in minutes, hours or days, and then its date. */
export function ago(machine: string, now: number): string {
  const moment = Date.parse(machine);
  if (Number.isNaN(moment)) return "";
  // A device's clock may be behind the server's.
  const past = Math.max(0, now - moment);
  if (past >= 7 * DAY_MS) return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(moment);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  if (past < MINUTE_MS) return format.format(0, "second");
  if (past < HOUR_MS) return format.format(-Math.floor(past / MINUTE_MS), "minute");
  if (past < DAY_MS) return format.format(-Math.floor(past / HOUR_MS), "hour");
  // "Yesterday" ends at midnight.
  const [first = 0, last = 0] = [moment, moment + past].map((at) => new Date(at).setHours(0, 0, 0, 0));
  return format.format(-Math.round((last - first) / DAY_MS), "day");
}
