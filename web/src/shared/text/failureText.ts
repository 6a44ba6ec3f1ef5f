import { ApiFailure, type Refusal } from "@/shared/api/client";
import { appText } from "./appText";
import { locale } from "./language";

/** What went wrong on this device, in words for the person. */
export class DeviceFailure extends Error {}

/** What to tell a person about a failed call: why, where the server said so. */
export function failureText(failure: unknown, otherwise: string = appText.codes.internal): string {
  if (failure instanceof DeviceFailure) return failure.message;
  if (!(failure instanceof ApiFailure)) return otherwise;
  if (failure.status === 0) return unansweredText();
  return translated(failure.refusal) || otherwise;
}

/** Why no answer came: the server may be as far away as the network. */
export function unansweredText(): string {
  return navigator.onLine ? appText.failure.noAnswer : appText.failure.offline;
}

/** What the server said, in the language in use. A newer one may have codes that this page doesn't know. */
export function translated({ code, message, wait_seconds }: Refusal): string {
  const sentence: string | undefined = code && appText.codes[code];
  return sentence?.replace("{wait}", duration(wait_seconds ?? 1)) ?? message;
}

function duration(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}
