import { api, type Schemas } from "@/shared/api/api";
import { token } from "@/shared/session/session";
import { type Answer, ask } from "../connection/ask";
import type { Opened } from "../connection/openRoom";
import { DoorPage } from "./DoorPage";

type Tools = {
  enter: (id: string, asked: Promise<Answer>, asCreator: boolean) => Promise<Opened>;
  isMine: (room: Schemas["RoomData"]) => Promise<boolean>;
};

/**
 * The group asks first. Its creator comes in without knocking: only that call has both the seat's cookie and the
 * account's token, and the server keeps nothing that ties them. Everybody else is shown the door; that of a sealed group
 * has its name only for who has its key.
 */
export async function atDoor(id: string, asCreator: boolean, { enter, isMine }: Tools): Promise<Opened> {
  const { data } = await api("get", "/api/room/{id}", { params: { id } });
  if (!asCreator && (await isMine(data))) return enter(id, ask(id, "seat", token()), true);
  if (!data.sealed) return { kind: "door", room: data, Door: DoorPage };
  // Who has no key would knock for nothing.
  const { openedByLink } = await import("../sealing/openSealed");
  const found = await openedByLink(data);
  return "Door" in found
    ? { kind: "door", room: data, Door: found.Door }
    : { kind: "door", room: { ...data, name: found.name }, Door: DoorPage };
}
