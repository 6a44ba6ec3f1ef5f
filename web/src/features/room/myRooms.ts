import { api, type Wire } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { keepCreator, token } from "@/shared/session/session";

/** A group of one's own, and when it ends by this device's clock. */
export type RoomItem = Wire["RoomItem"] & { ends: number };

/** One's own groups; `offline` when there is no network to ask. A refusal is thrown. */
export async function myRooms(creator: string): Promise<RoomItem[] | "offline"> {
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
