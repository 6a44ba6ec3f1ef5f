import { isRoomId } from "@/shared/links";
import { type CameFrom, sealed } from "./keptFrom";

export function cameFrom(state: unknown): CameFrom | undefined {
  const came = (state ?? {}) as Partial<CameFrom>;
  if (typeof came.room !== "string" || !isRoomId(came.room)) return undefined;
  return sealed?.room === came.room ? sealed : (came as CameFrom);
}
