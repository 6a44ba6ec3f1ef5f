import { parsed } from "@/shared/json";
import { deviceStorage } from "@/shared/storage";

/** A conversation that this device remembers because its user has asked for that. */
export type KeptConversation = {
  id: string;
  secret: string;
  /** Whose answer is awaited. */
  to: string;
  /** When the note was sent, by this device's clock, in milliseconds. */
  since: number;
  /** Whether it began with a sealed note. */
  isSealed?: boolean;
  /** The number of the newest event of the conversation that this device has shown. */
  read?: number;
};

/** One that is over. Its private link leads nowhere now, so that isn't kept. */
export type EndedConversation = Pick<KeptConversation, "id" | "to" | "since"> & { ended: number };

const KEPT = "annon.conversation.";

/** How long a device says of a conversation that it has ended. */
const ENDED_SHOWN_MS = 7 * 24 * 60 * 60 * 1000;

let listeners: readonly (() => void)[] = [];

/** Other tabs' changes, and those from while the browser kept this page for the Back button. */
const ELSEWHERE = ["storage", "pageshow"];

/** Calls back after every change. Returns what ends that. */
export function watchKept(listener: () => void): () => void {
  listeners = [...listeners, listener];
  for (const change of ELSEWHERE) window.addEventListener(change, listener);
  return () => {
    listeners = listeners.filter((other) => other !== listener);
    for (const change of ELSEWHERE) window.removeEventListener(change, listener);
  };
}

function changed() {
  for (const listener of listeners) listener();
}

export function rememberConversation({ id, ...rest }: KeptConversation) {
  deviceStorage.setItem(KEPT + id, JSON.stringify(rest));
  changed();
}

export function forgetConversations(...ids: readonly string[]) {
  for (const id of ids) deviceStorage.removeItem(KEPT + id);
  changed();
}

/** They are over, and this device says so for a while. */
export function endConversations(...ids: readonly string[]) {
  for (const { to, since, id } of ids.flatMap((id) => keptConversation(id) ?? []))
    deviceStorage.setItem(KEPT + id, JSON.stringify({ to, since, ended: Date.now() }));
  changed();
}

/** The device has shown everything up to this event. */
export function readUpTo(id: string, seq: number) {
  const kept = keptConversation(id);
  if (kept && seq > (kept.read ?? 0)) rememberConversation({ ...kept, read: seq });
}

type Stored = Partial<KeptConversation & EndedConversation>;

function storedAt(id: string): (Stored & Pick<KeptConversation, "id" | "to" | "since">) | undefined {
  const stored = (parsed(deviceStorage.getItem(KEPT + id)) ?? {}) as Stored;
  const { to, since } = stored;
  return typeof to === "string" && typeof since === "number" ? { ...stored, id, to, since } : undefined;
}

export function keptConversation(id: string): KeptConversation | undefined {
  const stored = storedAt(id);
  const { secret, read } = stored ?? {};
  if (!stored || typeof secret !== "string") return undefined;
  const { to, since, isSealed } = stored;
  return {
    id,
    secret,
    to,
    since,
    read: typeof read === "number" ? read : 0,
    ...(isSealed === true && { isSealed }),
  };
}

/** One that has ended. After a while the device doesn't know of it any more. */
function endedConversation(id: string): EndedConversation | undefined {
  const stored = storedAt(id);
  const { ended } = stored ?? {};
  if (!stored || typeof ended !== "number") return undefined;
  if (ended + ENDED_SHOWN_MS > Date.now()) return { id, to: stored.to, since: stored.since, ended };
  deviceStorage.removeItem(KEPT + id);
  return undefined;
}

/** All that are remembered, newest first; or only those with one person. */
export const keptConversations = (to?: string) => listed(to, keptConversation);

/** Those that have ended lately, like `keptConversations`. */
export const endedConversations = (to?: string) => listed(to, endedConversation);

/** Whether this device has anything to say about conversations. */
export const remembersAny = (to?: string) =>
  keptConversations(to).length > 0 || endedConversations(to).length > 0;

function listed<Kept extends { to: string; since: number }>(
  to: string | undefined,
  at: (id: string) => Kept | undefined,
): Kept[] {
  return deviceStorage
    .keys()
    .flatMap((key) => (key.startsWith(KEPT) ? (at(key.slice(KEPT.length)) ?? []) : []))
    .filter((kept) => to === undefined || kept.to.toLowerCase() === to.toLowerCase())
    .sort((one, other) => other.since - one.since);
}
