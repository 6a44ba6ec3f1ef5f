import { ApiFailure, type Refusal } from "@/shared/api/client";
import { appText } from "./appText";
import { locale } from "./language";

/** A failure on this device. Its message is in the reader's language. */
export class DeviceFailure extends Error {}

/** What to tell a person about a failed call: the server's reason, if it gave one. */
export function failureText(failure: unknown, otherwise: string = appText.codes.internal): string {
  if (failure instanceof DeviceFailure) return failure.message;
  if (!(failure instanceof ApiFailure)) return otherwise;
  if (failure.status === 0) return unansweredText();
  return translated(failure.refusal) || otherwise;
}

/** Why no answer came: the device is offline, or the server did not answer. */
export function unansweredText(): string {
  return navigator.onLine ? appText.failure.noAnswer : appText.failure.offline;
}

/** The text of a refusal in the language in use. For an unknown code of a newer server, the server's own sentence. */
export function translated({ code, message, wait_seconds }: Refusal): string {
  const sentence: string | undefined = code && appText.codes[code];
  return sentence?.replace("{wait}", duration(wait_seconds ?? 1)) ?? message;
}

/** A time to wait, in words. */
export function duration(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}
