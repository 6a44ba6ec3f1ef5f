import { api } from "@/shared/api/api";
import { ApiFailure } from "@/shared/api/client";
import { keptRoomIds } from "@/shared/keptRooms";

/**
 * Forgets the rooms that no longer exist. Only the server's plain "not found" counts: a network that is down or a
 * busy server says nothing about a room, and forgetting it then would lose the visitor's emoji in a living group.
 */
export async function pruneKeptRooms(forget: (id: string) => Promise<void>): Promise<void> {
  await Promise.all(
    keptRoomIds().map(async (id) => {
      try {
        // With the seat: by its id a group that has got a new link is only there for who has one.
        await api("get", "/api/room/valid/{id}", { params: { id }, seat: {} });
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.status === 404) await forget(id);
      }
    }),
  );
}
