import { parsed } from "@/shared/json";
import { deviceStorage } from "@/shared/storage";

/** What this device keeps of the groups it has a seat in, so that it can list them. No server is asked about it. */
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

/** How many of the group's messages had been said when this device last looked. */
export function keepSeen(storage: Writable, id: string, count: number) {
  storage.setItem(SEEN + id, String(count));
}

/** The same, unless this device never looked. */
export function seenOf(id: string): number | undefined {
  const seen = deviceStorage.getItem(SEEN + id);
  return seen === null ? undefined : Number(seen);
}

export function forgetGroup(storage: Writable, id: string) {
  storage.removeItem(GROUP + id);
  storage.removeItem(SEEN + id);
}

/** The groups, those that end first above the others. */
export function keptGroups(): KeptGroup[] {
  const ids = deviceStorage.keys().flatMap((key) => (key.startsWith(GROUP) ? key.slice(GROUP.length) : []));
  return ids.flatMap((id) => groupOf(id) ?? []).sort((one, other) => one.ends - other.ends);
}

function groupOf(id: string): KeptGroup | undefined {
  const { name, ends } = (parsed(deviceStorage.getItem(GROUP + id)) ?? {}) as Partial<GroupToKeep>;
  if (typeof name !== "string" || typeof ends !== "number") return undefined;
  return { id, name, ends, emoji: deviceStorage.getItem(id) ?? "" };
}
