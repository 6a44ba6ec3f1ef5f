import { encoded } from "@/shared/base64url";
import { TAG_BYTES } from "@/shared/contract/limits";
import { deviceStorage } from "@/shared/storage";

/** What this browser's tags are made from. It never leaves the browser. */
const SECRET = "annon.hand";

/**
 * The tag that goes with a note, by which its sender can be blocked: the same for one inbox, and a different one for
 * every other, which nobody can match to it. Browsers can't make one on a page that came without TLS.
 */
export async function tagFor(target: string): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  let secret = deviceStorage.getItem(SECRET);
  if (secret === null) {
    secret = encoded(crypto.getRandomValues(new Uint8Array(32)));
    deviceStorage.setItem(SECRET, secret);
  }
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    bytes.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const whole = await crypto.subtle.sign("HMAC", key, bytes.encode(target));
  return encoded(new Uint8Array(whole).slice(0, TAG_BYTES));
}

/** From now on this browser's tags are others, and nobody can match them to those before. */
export const forgetHand = () => deviceStorage.removeItem(SECRET);
