import { isRoomId } from "@/shared/links";

/**
 * What a page that says why somebody isn't in a group knows of that group. It is kept in the tab's history entry: so it
 * is there after a reload, and in no request.
 */
export type CameFrom = {
  /** The id of the group. */
  room: string;
  name?: string | undefined;
  /** What was being written when the group ended. */
  unsent?: string;
};

export function cameFrom(state: unknown): CameFrom | undefined {
  const { room } = (state ?? {}) as Partial<CameFrom>;
  return typeof room === "string" && isRoomId(room) ? (state as CameFrom) : undefined;
}
