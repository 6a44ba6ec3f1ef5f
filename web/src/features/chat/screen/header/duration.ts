import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";

/** How long something still lasts: hours and minutes, and towards the end minutes and seconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const minutes = Math.floor(seconds / 60);
  return chatText.screen.header.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}

/** So many minutes, in words. */
export function inMinutes(minutes: number): string {
  const format = { style: "unit", unit: "minute", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale(), format).format(minutes);
}
