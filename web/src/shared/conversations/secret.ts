import { decoded, encoded } from "@/shared/base64url";
import { derived, secretOf } from "@/shared/hkdf";

/** How many bytes the secret of a conversation, its id and its key have. */
const SECRET_BYTES = 16;
const ID_BYTES = 16;
const KEY_BYTES = 32;

/** What names a conversation, and what opens it for whoever wrote the note. */
export type Keys = { id: string; key: string };

/** Browsers can derive keys only on pages that came by TLS, or from the same device. */
export const canConverse = () => globalThis.crypto?.subtle !== undefined;

/** The secret of a new conversation. It stands only in the private link, behind the "#", and no browser sends that. */
export function newSecret(): string {
  return encoded(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The id and the key that follow from a secret; undefined if it can't be one, as when a link was cut off. */
export async function keysOf(secret: string): Promise<Keys | undefined> {
  const bytes = decoded(secret);
  if (bytes?.length !== SECRET_BYTES) return undefined;
  const from = await secretOf(bytes);
  const derive = async (what: string, length: number) =>
    encoded(await derived(from, `annon conversation ${what}`, length));
  return { id: await derive("id", ID_BYTES), key: await derive("key", KEY_BYTES) };
}

/** What the server keeps to recognize the key, without being able to find the key from it. */
export async function proofOf({ key }: Keys): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", decoded(key) ?? new Uint8Array());
  return encoded(new Uint8Array(digest));
}
