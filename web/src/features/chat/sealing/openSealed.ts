import type { ReactNode } from "react";
import type { Schemas } from "@/shared/api/api";
import { PICTURE_SIDE, PICTURE_THUMB_SIDE } from "@/shared/contract/limits";
import { fitted, fromPixels, shrunk } from "@/shared/shrink";
import { deviceStorage } from "@/shared/storage";
import type { Opened } from "../connection/openRoom";
import { roomCalls } from "../connection/roomCalls";
import { type Environment, newId } from "../environment";
import { shownPictures } from "../history/shownPictures";
import type { RoomPage, Start } from "../model/transitions";
import { believedKey, draftKey, outboxKey, ownKey, wishesKey } from "../storage";
import { hashOf } from "./body";
import { sealedPictures, sealedStorage } from "./device";
import { type Keys, keysOf } from "./keys";
import { openName } from "./name";
import { openPicture, sealPicture } from "./picture";
import { connectionOf } from "./SealedConnection";
import { SealedGroup, sealedAddress } from "./SealedGroup";
import { signerOf } from "./signers";

/** How many lines are opened before the first are shown: more than a screen has. The others are opened when they are needed. */
const FIRST_LINES = 25;

/** Opens a sealed group with the key of its link, or shows what is missing. */
export async function openSealed(start: Start): Promise<Opened> {
  const { data, me, expiresAt } = start;
  const { id: room } = data;
  const found = await openedByLink(data);
  if ("Door" in found) return { kind: "door", room: data, Door: found.Door };
  const { keys, name } = found;
  const { first, page: raw } = inTwo(data, roomCalls(room).page);
  const kept = [outboxKey, draftKey, wishesKey, believedKey, ownKey].map((key) => key(room));
  const storage = await sealedStorage(keys, deviceStorage, kept);
  // Only who says something needs it.
  const signer = signerOf(room, expiresAt);
  const group = new SealedGroup({ room, me, keys, signer, storage, newId, page: raw });
  const page = await group.page(first, true);
  const environment = (open: Environment) => ({
    ...sealedEnvironment({ ...open, calls: { ...open.calls, page: raw } }, room, keys, group),
    storage,
  });
  const seal = { key: keys.link, environment, Connection: connectionOf(group) };
  return { kind: "room", start: { ...start, data: { ...page, name }, seal } };
}

type Found = { keys: Keys; name: string } | { Door: () => ReactNode };

/** The keys of a sealed group by the page's address, and the group's name; or the page that says what is missing. */
export async function openedByLink({ id, link, sealed }: Schemas["RoomData"]): Promise<Found> {
  const key = window.location.hash.slice(1);
  // Browsers have what is needed only on pages that came by TLS, or from the same device.
  const canOpen = globalThis.crypto?.subtle !== undefined;
  const keys = canOpen ? await keysOf(key) : undefined;
  const name = keys && keys.check === sealed?.check ? await openName(keys, sealed.name) : undefined;
  if (keys && name !== undefined) return { keys, name };
  const { KeylessPage } = await import("./KeylessPage");
  const why = !canOpen ? "cant" : key === "" ? "missing" : "wrong";
  return { Door: () => KeylessPage({ ids: [id, link], why }) };
}

type Page = (limit: number, before?: number) => Promise<RoomPage>;

/** The newest lines of a page, and what loads those before them: the others of this page are there already. */
function inTwo(data: RoomPage, page: Page): { first: RoomPage; page: Page } {
  const messages = data.messages.slice(-FIRST_LINES);
  const others = data.messages.slice(0, -FIRST_LINES);
  const first = { ...data, messages, has_older: data.has_older || others.length > 0 };
  const held = others.length > 0 ? { ...data, messages: others } : undefined;
  const load: Page = async (limit, before) =>
    held && before === messages[0]?.seq ? held : page(limit, before);
  return { first, page: load };
}

function sealedEnvironment(open: Environment, room: string, keys: Keys, group: SealedGroup): Environment {
  shownPictures.opens = async (address, sealed) => {
    const { id, hash } = sealedAddress(address) ?? { id: "", hash: "" };
    const bytes = new Uint8Array(await sealed.arrayBuffer());
    if ((await hashOf(bytes)) !== hash) throw new Error("not the picture that its sender has named");
    return openPicture(keys, { room, id }, bytes);
  };
  const page: Page = async (limit, before) => {
    const loaded = await open.calls.page(limit, before);
    // One line is asked for to see who has a seat.
    return limit === 1 ? { ...loaded, messages: [] } : group.page(loaded, before === undefined);
  };
  return {
    ...open,
    kept: sealedPictures(room, keys, open.kept),
    calls: { ...open.calls, page },
    // Drawn anew, also if it is small: nobody else takes out where and when it was taken.
    shrink: (file) =>
      fromPixels(file, async (bitmap) => ({
        ...fitted(bitmap, PICTURE_SIDE),
        full: await shrunk(bitmap, PICTURE_SIDE),
        tiny: await shrunk(bitmap, PICTURE_THUMB_SIDE),
      })),
    upload: async (picture, onProgress, signal) => {
      const id = crypto.randomUUID();
      const sealed = await sealPicture(keys, { room, id }, picture);
      const path = await open.upload(new Blob([sealed]), onProgress, signal, id);
      return `${path}#${await hashOf(sealed)}`;
    },
  };
}
