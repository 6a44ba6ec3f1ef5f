import { ApiFailure, call } from "@/shared/api/client";

/** Rooms are kept in local storage under their bare id, with the visitor's emoji as the value. */
const ROOM_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The ids of the rooms this browser remembers. */
export function storedRoomIds(): string[] {
  return Object.keys(localStorage).filter((key) => ROOM_ID.test(key));
}

/**
 * Forgets the rooms that no longer exist. Only the server's plain "not found" counts: a network that is down or a
 * busy server says nothing about a room, and forgetting it then would lose the visitor's face in a living group.
 */
export async function pruneStoredRooms(): Promise<void> {
  await Promise.all(
    storedRoomIds().map(async (id) => {
      try {
        await call(`/room/valid/${id}`);
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.status === 404) localStorage.removeItem(id);
      }
    }),
  );
}
