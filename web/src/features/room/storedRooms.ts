import { api } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { deviceStorage } from "@/shared/storage";

/** Storage keys of a room end with its id. The visitor's emoji has the id alone, others have a name before it. */
const OF_A_ROOM = /^(?:annon\.\w+\.)?([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/i;

export function storedRoomIds(): string[] {
  return [...new Set(deviceStorage.keys().flatMap((key) => OF_A_ROOM.exec(key)?.[1] ?? []))];
}

/**
 * Forgets the rooms that no longer exist. Only the server's plain "not found" counts: a network that is down or a
 * busy server says nothing about a room, and forgetting it then would lose the visitor's emoji in a living group.
 */
export async function pruneStoredRooms(forget: (id: string) => Promise<void>): Promise<void> {
  await Promise.all(
    storedRoomIds().map(async (id) => {
      try {
        await api("get", "/api/room/valid/{id}", { params: { id } });
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.status === 404) await forget(id);
      }
    }),
  );
}
