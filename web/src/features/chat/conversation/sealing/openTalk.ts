import { decoded } from "@/shared/base64url";
import { canConverse } from "@/shared/conversations/secret";
import { secretOf } from "@/shared/hkdf";
import { contentKeyOf, copyPlace, lineKeyOf, openLine } from "@/shared/sealing/lines";
import { parted } from "@/shared/sealing/noteMessage";
import { derivedKey } from "@/shared/sealing/seal";
import { deviceStorage } from "@/shared/storage";
import { sealedTalkText } from "@/shared/text/sealedTalkText";
import type { Environment } from "../../environment";
import type { Pair } from "../../model/pair";
import type { RoomPage, Start } from "../../model/transitions";
import { sealedStorage } from "../../sealing/device";
import { connectionOf } from "../../sealing/SealedConnection";
import { draftKey, outboxKey, wishesKey } from "../../storage";
import { keepingNoSeen } from "../keepingNoSeen";
import { SealedTalk } from "./SealedTalk";

/** Why a sealed conversation can't be opened here. */
export type Locked = "insecure" | "keyless" | "broken";

/** The page of a sealed conversation with its words, and what takes the place of what others use. */
type OpenedTalk = { data: RoomPage; seal: NonNullable<Start["seal"]> };

/** The note's words, and the content key; or why they aren't known. */
type Found = { words: string | undefined; contentKey: string } | Locked;

/** Opens a sealed conversation: its sender by the secret in the private link, its owner by the key of the inbox. */
export async function openTalk(data: RoomPage, secret: string | undefined): Promise<OpenedTalk | Locked> {
  const { id, pair } = data;
  if (!canConverse()) return "insecure";
  if (!pair) throw new Error("a conversation has two sides");
  const found = secret === undefined ? await asOwner(pair) : await asSender(id, pair, secret);
  if (typeof found === "string") return found;
  const { words, contentKey } = found;
  const talk = new SealedTalk(id, pair.side, await lineKeyOf(contentKey));
  const note = { ...pair.note, message: words ?? sealedTalkText.unopened };
  const withNote = (page: RoomPage) => ({ ...page, pair: page.pair && { ...page.pair, note } });
  const device = await deviceKeyOf(contentKey);
  const kept = [outboxKey, draftKey, wishesKey].map((key) => key(id));
  const storage = keepingNoSeen(await sealedStorage({ device }, deviceStorage, kept));
  const environment = (open: Environment): Environment => {
    const page = async (limit: number, before?: number) =>
      withNote(await talk.page(await open.calls.page(limit, before)));
    return { ...open, storage, calls: { ...open.calls, page } };
  };
  return { data: withNote(await talk.page(data)), seal: { environment, Connection: connectionOf(talk) } };
}

async function asSender(id: string, { note }: Pair, secret: string): Promise<Found> {
  const contentKey = await contentKeyOf(secret);
  const { copy = "" } = parted(note.message);
  return { words: await openLine(await lineKeyOf(contentKey), copyPlace(id), copy), contentKey };
}

/** Only owners need what opens notes. */
async function asOwner({ to, note }: Pair): Promise<Found> {
  const [{ privateKeyOf }, { openNote }] = await Promise.all([
    import("@/shared/sealing/inboxKey"),
    import("@/shared/sealing/notes"),
  ]);
  const key = await privateKeyOf(to);
  if (!key) return "keyless";
  const opened = await openNote(key, note.sealed ?? "", note.message);
  return opened?.k === undefined ? "broken" : { words: opened.m, contentKey: opened.k };
}

/** For what this device keeps of the conversation: who opens the device without the key can't read it. */
async function deviceKeyOf(contentKey: string): Promise<CryptoKey> {
  return derivedKey(await secretOf(decoded(contentKey) ?? new Uint8Array()), "annon conversation device 1");
}
