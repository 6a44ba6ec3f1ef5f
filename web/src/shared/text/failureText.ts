import { ApiFailure } from "@/shared/api/client";
import { appText } from "./appText";
import { locale } from "./language";

/** What went wrong on this device, in words for the person. */
export class DeviceFailure extends Error {}

/** What to tell a person about a failed call: the server's sentence where it gave one. */
export function failureText(failure: unknown, otherwise: string = appText.failure.unknown): string {
  if (failure instanceof DeviceFailure) return failure.message;
  if (!(failure instanceof ApiFailure)) return otherwise;
  if (failure.status === 0) return unansweredText();
  return translated(failure.message) || otherwise;
}

/** Why no answer came: the server may be as far away as the network. */
export function unansweredText(): string {
  return navigator.onLine ? appText.failure.noAnswer : appText.failure.offline;
}

/** The server speaks English; its sentences have their translation in the catalogue. */
export function translated(message: string): string {
  const [, what = "", count = "1", unit] = TOO_MANY.exec(message) ?? [];
  if (unit) {
    const { tooMany, enoughNotes } = appText.failure;
    return (what.startsWith("Too") ? tooMany : enoughNotes)(duration(Number(count), unit));
  }
  return appText.serverSays[message] ?? message;
}

/** The sentences with a number in them. */
const TOO_MANY =
  /^(Too many attempts|You've sent a lot of notes here)\. Wait (?:a|(\d+)) (second|minute)s? and try again\.$/;

function duration(count: number, unit: string): string {
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}
