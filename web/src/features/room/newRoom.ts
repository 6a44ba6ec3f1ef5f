import { api } from "@/shared/api/api";
import { ROOM_LIFETIME_HOURS, ROOM_NAME_MIN, ROOM_SHORT_LIFETIME_HOURS } from "@/shared/contract/limits";
import { keepCreator, token } from "@/shared/session/session";
import { characters, isBlank } from "@/shared/text/characters";
import { withoutDirections } from "@/shared/text/directions";

export const LIFETIMES = [ROOM_LIFETIME_HOURS, ROOM_SHORT_LIFETIME_HOURS] as const;
export type Lifetime = (typeof LIFETIMES)[number];

export type NewRoom = { id: string; name: string; hours: Lifetime; asksFirst: boolean };

/** The lifetime is always sent: the server's default can be configured. */
export async function createRoom(name: string, hours: Lifetime, askFirst: boolean): Promise<NewRoom> {
  const { room_id: id, creator } = await api("post", "/api/room/create", {
    json: { name, lifetime_hours: hours, ask_first: askFirst },
    token: token() ?? "",
  });
  keepCreator(id, creator);
  return { id, name: withoutDirections(name).trim(), hours, asksFirst: askFirst };
}

export function isNameEnough(name: string): boolean {
  const plain = withoutDirections(name).trim();
  return !isBlank(plain) && characters(plain) >= ROOM_NAME_MIN;
}

/** A random name that is not the current one, so that the button always changes something. */
export function anotherName(names: readonly string[], current: string, random = Math.random): string {
  const others = names.filter((name) => name !== current);
  return others[Math.floor(random() * others.length)] ?? current;
}
