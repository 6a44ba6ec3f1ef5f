import { encoded } from "@/shared/base64url";
import { utf8 } from "@/shared/sealing/bytes";
import { fingerprintOf } from "@/shared/sealing/fingerprint";
import { contentKeyOf, copyPlace, lineKeyOf, sealLine } from "@/shared/sealing/lines";
import { withCopy } from "@/shared/sealing/noteMessage";
import { sealNote } from "@/shared/sealing/notes";
import { DeviceFailure } from "@/shared/text/failureText";
import { sealedNoteText } from "@/shared/text/sealedNoteText";
import type { NewConversation } from "../privateLink";
import { type Refused, type Sealing, type Standing, standingOf } from "./standing";

/** A note before it is sealed. */
export type Plain = {
  to: string;
  target: string;
  words: string;
  onlyForYou: boolean;
  conversation: NewConversation | undefined;
};

/** Why nothing is sent, in words. */
export function refusalIn(standing: Standing, name: string): string | undefined {
  const words = sealedNoteText;
  const refusals: Record<Refused, string> = {
    otherKey: words.otherKey(name),
    notSealed: words.notSealed(name),
    cant: words.cant,
    cantPinned: words.cantPinned,
  };
  return standing === "sealed" || standing === "open" ? undefined : refusals[standing];
}

/** A sealed note as it is sent, and what is the same only for the same note: its seal is another one each time. */
export type Sealed = { json: { message: string; sealed_for: string }; sameness: string };

/** Seals a note; undefined if it goes open. Throws if nothing may be sent. */
export async function sealedNote(sealing: Sealing, note: Plain): Promise<Sealed | undefined> {
  const { to, target, words, onlyForYou, conversation } = note;
  const standing = await standingOf(sealing);
  const refusal = refusalIn(standing, to);
  if (refusal !== undefined) throw new DeviceFailure(refusal);
  if (standing === "open" || !sealing.seal) return undefined;
  const { key } = sealing.seal;
  const k = conversation && (await contentKeyOf(conversation.secret));
  const sealed = await sealNote(key, target, { m: words, f: onlyForYou, ...(k && { k }) }).catch(() => {
    throw new DeviceFailure(sealedNoteText.noKey);
  });
  const copy = k && (await copyOf(note, k));
  const message = copy ? withCopy(sealed, copy) : sealed;
  const sealed_for = await fingerprintOf(key);
  return { json: { message, sealed_for }, sameness: await samenessOf(note) };
}

/** The note's words for its sender. */
async function copyOf({ conversation, words }: Plain, contentKey: string) {
  return sealLine(await lineKeyOf(contentKey), copyPlace(conversation?.id ?? ""), words);
}

async function samenessOf({ target, words, onlyForYou, conversation }: Plain): Promise<string> {
  const bytes = utf8(JSON.stringify([target, words, onlyForYou, conversation?.id]));
  return encoded(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Notes were sealed when the page was opened, and aren't now. */
export const turnedOff = (name: string) => new DeviceFailure(sealedNoteText.turnedOff(name));
