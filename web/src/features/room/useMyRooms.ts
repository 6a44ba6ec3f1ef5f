import { useCallback, useEffect, useState } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { ApiFailure, isSignedOut } from "@/shared/api/client";
import { keepCreator, token } from "@/shared/session/session";

/** A group of one's own, and when it ends by this device's clock. */
export type RoomItem = Schemas["RoomItem"] & { ends: number };

/** One's own groups; `offline` when there is no network to ask. A refusal is thrown. */
async function myRooms(creator: string): Promise<RoomItem[] | "offline"> {
  try {
    const { data } = await api("get", "/api/rooms", { token: token() ?? "" });
    // The room's page finds here who opened it.
    for (const { id } of data) keepCreator(id, creator);
    const now = Date.now();
    return data.map((room) => ({ ...room, ends: now + room.seconds_left * 1000 }));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 0) return "offline";
    throw failure;
  }
}

/** One that ended meanwhile, or was deleted elsewhere, is as good as removed. */
export async function removeRoom(id: string) {
  try {
    await api("delete", "/api/room/{id}", { params: { id }, token: token() ?? "" });
  } catch (failure) {
    if (!(failure instanceof ApiFailure && failure.status === 404)) throw failure;
  }
}

/** One's own groups, as they are when one looks: they end by themselves, and are deleted from tabs of their own. */
export function useMyRooms(username: string, onFailure: (failure: unknown) => void) {
  const [rooms, setRooms] = useState<RoomItem[] | "offline">();

  const load = useCallback(async () => {
    const found = await myRooms(username);
    setRooms((shown) => (found === "offline" ? (shown ?? found) : found));
  }, [username]);

  useEffect(() => {
    load().catch(onFailure);
    const look = () => {
      if (document.visibilityState !== "visible") return;
      // A server in trouble takes nothing away that is there already.
      load().catch((failure: unknown) => isSignedOut(failure) && onFailure(failure));
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [load, onFailure]);

  const drop = (gone: string) =>
    setRooms((shown) => (Array.isArray(shown) ? shown.filter(({ id }) => id !== gone) : shown));

  return { rooms, retry: () => void load().catch(onFailure), drop };
}
