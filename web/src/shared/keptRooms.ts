import { parsed } from "@/shared/json";
import { deviceStorage } from "@/shared/storage";

/** What this device keeps of a room in which it has a seat, to list it without asking the server. */
type RoomToKeep = {
  name: string;
  /** When it ends, by this device's clock, in milliseconds. */
  ends: number;
  /** What stood in its link when this device last opened it. */
  link: string;
  /** Whether only its link opens it: its own name is not kept, then. */
  sealed?: boolean;
};

export type KeptRoom = RoomToKeep & { id: string; emoji: string };

type Writable = Pick<Storage, "setItem" | "removeItem">;

const LISTED = "annon.group.";
const SEEN = "annon.seen.";

/** Storage keys of a room end with its id. The visitor's emoji has the id alone, others have a name before it. */
const OF_A_ROOM = /^(?:annon\.\w+\.)?([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/i;

export function keepRoom(id: string, room: RoomToKeep) {
  deviceStorage.setItem(LISTED + id, JSON.stringify(room));
}

/** Keeps how many messages the room had when this device last showed it. */
export function keepSeen(storage: Writable, id: string, count: number) {
  storage.setItem(SEEN + id, String(count));
}

/** The number that `keepSeen` kept; undefined if this device never showed the room. */
export function seenOf(id: string): number | undefined {
  const seen = deviceStorage.getItem(SEEN + id);
  return seen === null ? undefined : Number(seen);
}

/** What this device calls a room in which it has a seat. */
export const keptName = (id: string) => roomOf(id)?.name;

export function dropRoom(storage: Writable, id: string) {
  storage.removeItem(LISTED + id);
  storage.removeItem(SEEN + id);
}

/** The rooms of which anything is kept, if only a draft. */
export function keptRoomIds(): string[] {
  return [...new Set(deviceStorage.keys().flatMap((key) => OF_A_ROOM.exec(key)?.[1] ?? []))];
}

/** The rooms in which this device has a seat; those that end first come first. */
export function keptRooms(): KeptRoom[] {
  return keptRoomIds()
    .flatMap((id) => roomOf(id) ?? [])
    .sort((one, other) => one.ends - other.ends);
}

function roomOf(id: string): KeptRoom | undefined {
  const {
    name,
    ends,
    link = id,
    sealed,
  } = (parsed(deviceStorage.getItem(LISTED + id)) ?? {}) as Partial<RoomToKeep>;
  if (typeof name !== "string" || typeof ends !== "number") return undefined;
  const emoji = deviceStorage.getItem(id) ?? "";
  return { id, link, name, ends, emoji, ...(sealed && { sealed }) };
}
