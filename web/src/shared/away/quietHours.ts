/** Quiet hours: the server keeps minutes of the day in UTC, and people think in their own time. */

export type QuietHours = { from: number; to: number };

const DAY = 24 * 60;

const moved = (minutes: number, by: number) => (((minutes + by) % DAY) + DAY) % DAY;

/** Minutes of the day in UTC, as "HH:MM" of this device. */
export function shownTime(minutes: number, offset = new Date().getTimezoneOffset()): string {
  const local = moved(minutes, -offset);
  return [Math.floor(local / 60), local % 60].map((part) => `${part}`.padStart(2, "0")).join(":");
}

/** "HH:MM" of this device, as minutes of the day in UTC; undefined if it is no time. */
export function minutesOf(time: string, offset = new Date().getTimezoneOffset()): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return moved(Number(hours) * 60 + Number(minutes), offset);
}
