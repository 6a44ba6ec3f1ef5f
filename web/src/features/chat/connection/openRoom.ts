import type { ComponentType } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, bodyOf, isTrouble } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { dropRoom, keepRoom } from "@/shared/keptRooms";
import { cacheAccount, cachedAccount, creatorOf, token } from "@/shared/session/session";
import { deviceStorage } from "@/shared/storage";
import { failureText } from "@/shared/text/failureText";
import type { DoorProps } from "../door/DoorPage";
import type { Ending } from "../model/chat";
import type { Start } from "../model/transitions";
import { forget } from "../storage";
import { type Answer, ask, prefetched, seatHeaders } from "./ask";
import { closeReason } from "./roomCalls";

/**
 * The outcome of opening a room's link: the room; its door, where one knocks; another page, which says why there is no
 * seat; or trouble that says nothing about the room, so that the visitor can try again.
 */
export type Opened =
  | { kind: "room"; start: Start }
  | { kind: "elsewhere"; to: string }
  | { kind: "door"; room: Schemas["RoomData"]; Door: ComponentType<DoorProps> }
  | { kind: "trouble"; why: string };

/** A smaller difference between clocks counts as none: an answer's `Date` has whole seconds. */
const CLOCK_TOLERANCE_MS = 3000;

const sealing = () => import("../sealing/openSealed");

/** Takes a seat, or finds the visitor's, and fetches the room. Uses the prefetch's answer unless that failed. */
export async function openRoom(id: string): Promise<Opened> {
  // The link of a sealed group has a key, and what opens it comes beside the answer.
  if (location.hash) sealing().catch(() => {});
  const prefetch = prefetched(id);
  const opened = prefetch && (await enter(id, prefetch));
  return opened && opened.kind !== "trouble" ? opened : enter(id, ask(id));
}

async function enter(id: string, asked: Promise<Answer>, asCreator = false): Promise<Opened> {
  try {
    const { emoji: me, data } = await bodyOf<Schemas["Seated"]>(asked.then(({ response }) => response));
    const expiresAt = data.expire_at * 1000 - clockSkew(await asked);
    // The page may have been opened by a link that the group got later, or had before.
    deviceStorage.setItem(data.id, me);
    // A seat that the page carries is lost with the page: a link in the list of groups would lead to another seat.
    if (Object.keys(seatHeaders()).length > 0) dropRoom(deviceStorage, data.id);
    else {
      const { name, link, sealed } = data;
      keepRoom(data.id, { name, ends: expiresAt, link, sealed: !!sealed });
    }
    const start = { data, me, amCreator: await isMine(data), expiresAt };
    if (!data.sealed) return { kind: "room", start };
    return await (await sealing()).openSealed(start);
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.refusal.code === "asks_first") {
      const { atDoor } = await import("../door/atDoor");
      return atDoor(id, asCreator, { enter, isMine }).catch((failure) => notSeated(id, failure));
    }
    return notSeated(id, failure);
  }
}

/** The page that says why somebody is not, or no longer, in a group. */
export function noSeat(why: Ending): string {
  if (why === "expired") return paths.expired;
  return why === "full" ? paths.roomFull : `${paths.roomFull}?why=${why}`;
}

/** Where to go without a seat. If the server is busy, or nobody answered, the group need not be full. */
function notSeated(id: string, failure: unknown): Opened {
  if (isTrouble(failure)) return { kind: "trouble", why: failureText(failure) };
  const isGone = failure instanceof ApiFailure && failure.status === 404;
  const why = (failure instanceof ApiFailure && closeReason(failure.refusal)) || "full";
  // There is no way back into this group, so the device forgets it.
  if (isGone || why === "kicked") void forget(id);
  return { kind: "elsewhere", to: isGone ? paths.expired : noSeat(why) };
}

/** Whether the signed-in account created the room. In the browser that created or listed it, a cookie says so. */
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

/** How far the server's clock is ahead of this device's, which can be wrong by hours. */
function clockSkew({ response, halfway }: Answer): number {
  const skew = Date.parse(response.headers.get("Date") ?? "") + 500 - halfway;
  return Math.abs(skew) > CLOCK_TOLERANCE_MS ? skew : 0;
}
