import { ApiFailure } from "@/shared/api/client";
import { appText } from "./appText";

/** What to tell a person about a failed call: the server's sentence where it gave one. */
export function failureText(failure: unknown, otherwise: string = appText.failure.unknown): string {
  if (!(failure instanceof ApiFailure)) return otherwise;
  if (failure.status === 0) return appText.failure.offline;
  return translated(failure.message) || otherwise;
}

/** The server speaks English; its known sentences have their translation in the catalogue. */
function translated(message: string): string {
  return appText.serverSays[message] ?? message;
}
