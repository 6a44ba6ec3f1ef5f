import type { Schemas } from "@/shared/api/api";
import { encoded } from "@/shared/base64url";
import type { KeyHere } from "@/shared/session/ownSeal";
import { fingerprintOf } from "./fingerprint";
import { privateKeyOf } from "./inboxKey";

/**
 * Whether this device has the key of an inbox, and what the personal link names the key by. If this device has another
 * key, the link names none: either the owner has made a new one elsewhere, or the server gives out one that isn't theirs.
 */
export async function standingOf(
  username: string,
  { key, on }: Schemas["SealData"],
): Promise<{ here: KeyHere; fingerprint?: string }> {
  const own = await privateKeyOf(username);
  const raw = own && encoded(new Uint8Array(await crypto.subtle.exportKey("raw", own.publicKey)));
  if (raw !== undefined && raw !== key) return { here: "other" };
  const here = raw === undefined ? "no" : "yes";
  return on ? { here, fingerprint: await fingerprintOf(key) } : { here };
}
