import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, bodyOf, isTrouble } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { forgetGroup, keepGroup } from "@/shared/keptGroups";
import { cacheAccount, cachedAccount, creatorOf, token } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import { failureText } from "@/shared/text/failureText";
import type { Ending } from "../model/chat";
import type { Start } from "../model/events";
import { forget } from "../storage";
import { type Answer, ask, prefetched, seatHeaders } from "./ask";
import { closeReason } from "./roomCalls";

/**
 * What came of opening a room's link: the room; another page, which says why; or trouble that says nothing of the
 * room, so that it can be tried again.
 */
export type Opened =
  | { kind: "room"; start: Start }
  | { kind: "elsewhere"; to: string }
  | { kind: "trouble"; why: string };

/** Clocks that differ by less are taken for equal: an answer's date has whole seconds. */
const CLOCK_TOLERANCE_MS = 3000;

/** Takes a seat, or the one held, and fetches the room: with what was asked before the app was there, if that came well. */
export async function openRoom(id: string): Promise<Opened> {
  const prefetch = prefetched(id);
  const opened = prefetch && (await enter(id, prefetch));
  return opened && opened.kind !== "trouble" ? opened : enter(id, ask(id));
}

async function enter(id: string, asked: Promise<Answer>): Promise<Opened> {
  try {
    const { emoji: me, data } = await bodyOf<Schemas["Seated"]>(asked.then(({ response }) => response));
    const expiresAt = data.expire_at * 1000 - clockSkew(await asked);
    deviceStorage.setItem(id, me);
    // A seat that the page carries is gone with the page: a list would lead to another one.
    if (Object.keys(seatHeaders()).length === 0) keepGroup(id, { name: data.name, ends: expiresAt });
    else forgetGroup(deviceStorage, id);
    return { kind: "room", start: { data, me, amCreator: await isMine(data), expiresAt } };
  } catch (failure) {
    return notSeated(id, failure);
  }
}

export function noSeat(why: Ending): string {
  return why === "full" ? paths.roomFull : `${paths.roomFull}?why=${why}`;
}

/** No seat. That a server is busy or nobody answered doesn't make the group full. */
function notSeated(id: string, failure: unknown): Opened {
  if (isTrouble(failure)) return { kind: "trouble", why: failureText(failure) };
  const isGone = failure instanceof ApiFailure && failure.status === 404;
  const why = (failure instanceof ApiFailure && closeReason(failure.refusal)) || "full";
  // There is no way back into this group, so the device forgets it.
  if (isGone || why === "kicked") void forget(id);
  return { kind: "elsewhere", to: isGone ? paths.expired : noSeat(why) };
}

/** The account that is signed in made it; the cookie of the room's id says so, too, where it was made or listed. */
async function isMine({ id, creator }: Schemas["RoomData"]): Promise<boolean> {
  const bearer = token();
  if (bearer === undefined) return false;
  if (creatorOf(id) === creator) return true;
  const cached = cachedAccount();
  if (cached) return cached.user.username === creator;
  try {
    const { user } = await api("get", "/api/dashboard", { token: bearer });
    cacheAccount({ user });
    return user.username === creator;
  } catch {
    return false;
  }
}

/** By how much the server's clock is ahead of this device's; a device's can be hours off. */
function clockSkew({ response, halfway }: Answer): number {
  const skew = Date.parse(response.headers.get("Date") ?? "") + 500 - halfway;
  return Math.abs(skew) > CLOCK_TOLERANCE_MS ? skew : 0;
}
