import { useEffect, useState } from "react";
import { locale } from "@/shared/text/language";
import { DAY_MS, dayOf, here, isNewDay, momentOf } from "../moment";
import type { ListRow } from "./listRows";

/** Each line's day, in local days since 1970. Cached: it never changes, and finding it goes through all later rows. */
const known = new WeakMap<object, number>();

/** The day in words, if this row is the first of its day. */
export function dayAbove(rows: readonly ListRow[], at: number, today: number): string | undefined {
  const row = rows[at];
  if (!row || (at > 0 && !isNewDay(rows[at - 1], row))) return undefined;
  const line = row.kind === "comings" ? (row.notices[0] ?? row) : row;
  const day = known.get(line) ?? dayAt(rows, at);
  known.set(line, day);
  return dayWords(day, today);
}

/** A group's times have no day: it is the newest line's day, minus one for each midnight in between. */
function dayAt(rows: readonly ListRow[], at: number): number {
  const time = rows[at]?.time;
  if (typeof time === "number") return dayOf(time);
  let day = dayOf(momentOf(rows.at(-1)?.time ?? 0, Date.now()));
  for (const [back, row] of rows.slice(at + 1).entries()) if (isNewDay(rows[at + back], row)) day -= 1;
  return day;
}

/** "Today", "Yesterday", or the weekday and date. */
export function dayWords(day: number, today: number): string {
  const since = Math.min(0, day - today);
  if (since >= -1) {
    const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(since, "day");
    return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
  }
  const format = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale(), format).format(day * DAY_MS);
}

export function useToday(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), DAY_MS - (here(now) % DAY_MS));
    return () => clearTimeout(timer);
  }, [now]);
  return dayOf(now);
}
