import { parsed } from "@/shared/json";
import { deviceStorage } from "@/shared/storage";

/** What this device keeps of a group in which it has a seat, to list it without asking the server. */
type GroupToKeep = {
  name: string;
  /** When it ends, by this device's clock, in milliseconds. */
  ends: number;
};

export type KeptGroup = GroupToKeep & { id: string; emoji: string };

type Writable = Pick<Storage, "setItem" | "removeItem">;

const GROUP = "annon.group.";
const SEEN = "annon.seen.";

export function keepGroup(id: string, group: GroupToKeep) {
  deviceStorage.setItem(GROUP + id, JSON.stringify(group));
}

/** Keeps how many messages the group had when this device last showed it. */
export function keepSeen(storage: Writable, id: string, count: number) {
  storage.setItem(SEEN + id, String(count));
}

/** The number that `keepSeen` kept; undefined if this device never showed the group. */
export function seenOf(id: string): number | undefined {
  const seen = deviceStorage.getItem(SEEN + id);
  return seen === null ? undefined : Number(seen);
}

export function forgetGroup(storage: Writable, id: string) {
  storage.removeItem(GROUP + id);
  storage.removeItem(SEEN + id);
}

/** The groups; those that end first come first. */
export function keptGroups(): KeptGroup[] {
  const ids = deviceStorage.keys().flatMap((key) => (key.startsWith(GROUP) ? key.slice(GROUP.length) : []));
  return ids.flatMap((id) => groupOf(id) ?? []).sort((one, other) => one.ends - other.ends);
}

function groupOf(id: string): KeptGroup | undefined {
  const { name, ends } = (parsed(deviceStorage.getItem(GROUP + id)) ?? {}) as Partial<GroupToKeep>;
  if (typeof name !== "string" || typeof ends !== "number") return undefined;
  return { id, name, ends, emoji: deviceStorage.getItem(id) ?? "" };
}
