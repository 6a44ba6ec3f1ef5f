import { decoded, encoded } from "../base64url";
import { type Bytes, joined, padded, parts, textOf, unpadded, utf8 } from "./bytes";
import { type InboxKey, openFor, POINT_BYTES, publicKeyFrom, sealTo } from "./hpke";
import { parted } from "./noteMessage";

/** What a note says: its words, whether it is only for its reader, and the content key of the conversation that it begins. */
export type SealedNote = { m: string; f: boolean; k?: string };

const VERSION = 1;
const USE = "annon note 1";

/** What a note is padded to, in bytes. 280 characters of four bytes need the longest. */
const SIZES = [512, 1024, 2048];

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const LENGTHS = SIZES.map((size) => 1 + POINT_BYTES + size + TAG_BYTES);

const aboutOf = (target: string) => ({ info: utf8(USE), aad: parts(USE, target) });

/**
 * Seals a note to the public key of an inbox, for the id of its target. Throws if the key is none, or if the note is too
 * long. Only the vectors' test gives the key pair that is used once.
 */
export async function sealNote(
  publicKey: string,
  target: string,
  { m, f, k }: SealedNote,
  ephemeral?: CryptoKeyPair,
): Promise<string> {
  const to = await publicKeyFrom(decoded(publicKey) ?? new Uint8Array());
  const plain = padded(utf8(JSON.stringify({ m, f, k })), SIZES);
  return encoded(joined(new Uint8Array([VERSION]), await sealTo(to, aboutOf(target), plain, ephemeral)));
}

/** Opens a note, with the sender's copy behind it or without; undefined if it isn't one for this key and target. */
export async function openNote(
  privateKey: InboxKey,
  target: string,
  message: string,
): Promise<SealedNote | undefined> {
  const sealed = decoded(parted(message).note);
  if (!sealed || sealed[0] !== VERSION || !LENGTHS.includes(sealed.length)) return undefined;
  try {
    return noteIn(unpadded(await openFor(privateKey, aboutOf(target), sealed.subarray(1))));
  } catch {
    return undefined;
  }
}

/** Throws if these bytes say no note. */
function noteIn(bytes: Bytes): SealedNote | undefined {
  const { m, f, k }: Partial<SealedNote> = JSON.parse(textOf(bytes));
  if (typeof m !== "string" || typeof f !== "boolean") return undefined;
  if (k === undefined) return { m, f };
  return typeof k === "string" && decoded(k)?.length === KEY_BYTES ? { m, f, k } : undefined;
}
