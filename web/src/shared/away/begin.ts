import { language } from "@/shared/text/language";
import type { Away, Kind } from "./away";
import type { QuietHours } from "./quietHours";
import { addressOf, subscribed } from "./subscription";

/** Has this browser tell of these kinds. May ask for permission, so it is called from a tap. Gives the subscription's id. */
export async function begin(
  away: Away,
  key: string,
  kinds: Kind[],
  quiet: QuietHours | null,
): Promise<string> {
  const address = addressOf(await subscribed(key));
  return (await away.keep(kinds, { ...address, quiet, language: language() })).data.id;
}
