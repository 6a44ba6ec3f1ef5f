import { api, type Wire } from "@/shared/api/api";
import { ApiFailure, call } from "@/shared/api/client";
import { paths } from "@/shared/paths";
import { cacheAccount, cachedAccount, readCookie, token } from "@/shared/session";
import { ROOM_PAGE } from "@/shared/wire/limits";
import type { Ending } from "./chat";
import type { Start } from "./happenings";
import { keptPictures } from "./keptPictures";
import { roomCalls } from "./roomCalls";
import { deviceStorage, forgetRoom } from "./storage";
import { whyFailed } from "./words";

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

/** Takes a seat, or the one held, and fetches the room. */
export async function openRoom(id: string): Promise<Opened> {
  const skew = clockSkew(id);
  let me: string;
  try {
    me = await call<string>(`/room-emoji/${encodeURIComponent(id)}`, { seat: true });
  } catch (failure) {
    return isAbout(failure, 404) ? gone(id) : notSeated(id, failure);
  }
  deviceStorage.setItem(id, me);
  try {
    const data = await roomCalls(id).page(ROOM_PAGE);
    const expiresAt = data.expire_at * 1000 - (await skew);
    return { kind: "room", start: { data, me, amCreator: await isMine(data), expiresAt } };
  } catch (failure) {
    return isTrouble(failure) ? { kind: "trouble", why: whyFailed(failure) } : gone(id);
  }
}

/** How the server puts it that there is no seat, where it isn't that all are taken. */
const NO_SEAT: Record<string, Ending> = {
  "This group is locked": "locked",
  "You were removed from this group": "kicked",
};

/** The page that says why there is no seat. */
export function noSeat(why: Ending): string {
  return why === "full" ? paths.roomFull : `${paths.roomFull}?why=${why}`;
}

/** No seat. That a server is busy or nobody answered doesn't make the group full. */
function notSeated(id: string, failure: unknown): Opened {
  if (isTrouble(failure)) return { kind: "trouble", why: whyFailed(failure) };
  const why = (failure instanceof ApiFailure && NO_SEAT[failure.message]) || "full";
  // There is no way back.
  if (why === "kicked") forget(id);
  return { kind: "elsewhere", to: noSeat(why) };
}

function gone(id: string): Opened {
  forget(id);
  return { kind: "elsewhere", to: paths.expired };
}

function forget(id: string) {
  forgetRoom(deviceStorage, id);
  void keptPictures(id).forget();
}

function isAbout(failure: unknown, status: number): boolean {
  return failure instanceof ApiFailure && failure.status === status;
}

/** No answer, too many questions, or a server that has trouble itself. */
function isTrouble(failure: unknown): boolean {
  if (!(failure instanceof ApiFailure)) return true;
  return failure.status === 0 || failure.status === 429 || failure.status >= 500;
}

/** The account that is signed in made it; the cookie of the room's id says so, too, where it was made or listed. */
async function isMine({ id, creator }: Wire["RoomData"]): Promise<boolean> {
  const bearer = token();
  if (bearer === undefined) return false;
  if (readCookie(id) === creator) return true;
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
async function clockSkew(id: string): Promise<number> {
  try {
    const asked = Date.now();
    const answer = await fetch(`/api/room/valid/${encodeURIComponent(id)}`, { credentials: "omit" });
    const halfway = (asked + Date.now()) / 2;
    const skew = Date.parse(answer.headers.get("Date") ?? "") + 500 - halfway;
    return Math.abs(skew) > CLOCK_TOLERANCE_MS ? skew : 0;
  } catch {
    return 0;
  }
}
