import { decoded, encoded } from "../base64url";
import { derived, secretOf } from "../hkdf";
import { padded, parts, textOf, unpadded, utf8 } from "./bytes";
import { derivedKey, drawn, open, seal } from "./seal";

/** What a line is sealed to. It opens nowhere else: in no other conversation, and for no other side or id. */
export type LinePlace = { conversation: string; from: "owner" | "sender"; id: string };

const USE = "annon line 1";
const KEY_BYTES = 32;

/** The content key of a conversation, which follows from the secret in the sender's private link. */
export async function contentKeyOf(secret: string): Promise<string> {
  const from = await secretOf(decoded(secret) ?? new Uint8Array());
  return encoded(await derived(from, "annon conversation seal 1", KEY_BYTES));
}

/** What seals and opens the lines of a conversation. Throws if the content key is none. */
export async function lineKeyOf(contentKey: string): Promise<CryptoKey> {
  const bytes = decoded(contentKey);
  if (bytes?.length !== KEY_BYTES) throw new Error("no content key");
  return derivedKey(await secretOf(bytes), USE);
}

/** Where the words of the note stand for its sender, who can't open the note itself. No line has this id. */
export const copyPlace = (conversation: string): LinePlace => ({ conversation, from: "sender", id: "note" });

const aadOf = ({ conversation, from, id }: LinePlace) => parts(USE, conversation, from, id);

/** A line as the server keeps it. Throws if the words are too long. */
export async function sealLine(
  key: CryptoKey,
  place: LinePlace,
  words: string,
  draw = drawn,
): Promise<string> {
  return encoded(await seal(key, aadOf(place), padded(utf8(words)), draw));
}

/** The words of a line; undefined if it isn't one of this place. */
export async function openLine(
  key: CryptoKey,
  place: LinePlace,
  sealed: string,
): Promise<string | undefined> {
  try {
    return textOf(unpadded(await open(key, aadOf(place), decoded(sealed) ?? new Uint8Array())));
  } catch {
    return undefined;
  }
}
