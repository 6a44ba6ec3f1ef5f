import { locale } from "./language";

/** A moment on this device, as a time, and with its date unless that is today. */
export function timeOf(moment: number, now = new Date()): string {
  const isToday = new Date(moment).toDateString() === now.toDateString();
  const day = isToday ? {} : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(locale(), { ...day, timeStyle: "short" }).format(moment);
}

/** The server's "YYYY-MM-DD", a day in UTC, in the reader's language. */
export function dayOf(date: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return date;
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(moment);
}

/** The server's "YYYY-MM-DD HH:MM:SS" in UTC, as a date and a time in the reader's time zone and language. */
export function noteDate(pair: string): { date: string; time: string; machine: string } {
  const [date = "", time = ""] = pair.split(" ");
  const machine = `${date}T${time}Z`;
  const moment = new Date(machine);
  if (Number.isNaN(moment.getTime())) return { date, time, machine: "" };
  return {
    date: new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(moment),
    time: new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(moment),
    machine,
  };
}
