import { api } from "@/shared/api/api";
import { ROOM_LIFETIME_HOURS, ROOM_SHORT_LIFETIME_HOURS } from "@/shared/contract/limits";
import { keepCreator, token } from "@/shared/session/session";
import { withoutDirections } from "@/shared/text/directions";

export const LIFETIMES = [ROOM_LIFETIME_HOURS, ROOM_SHORT_LIFETIME_HOURS] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** Of a sealed group, `key` is the part of its link that the server never gets. */
export type NewRoom = { id: string; name: string; hours: Lifetime; asksFirst: boolean; key?: string };

/** Seals the name of a new group. */
export type Sealing = (name: string) => Promise<{ name: string; check: string; key: string }>;

/** The lifetime is always sent: the server's default can be configured. */
export async function createRoom(
  raw: string,
  hours: Lifetime,
  askFirst: boolean,
  seal?: Sealing,
): Promise<NewRoom> {
  // As the server tidies a name that it can read.
  const name = withoutDirections(raw).trim();
  const { key, ...sealed } = seal ? await seal(name) : { key: undefined, name: raw };
  const { room_id: id, creator } = await api("post", "/api/room/create", {
    json: { ...sealed, sealed: seal !== undefined, lifetime_hours: hours, ask_first: askFirst },
    token: token() ?? "",
  });
  keepCreator(id, creator);
  return { id, name, hours, asksFirst: askFirst, ...(key !== undefined && { key }) };
}
