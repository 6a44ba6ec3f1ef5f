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
};

const KEPT = "annon.conversation.";

export function rememberConversation({ id, ...rest }: KeptConversation) {
  deviceStorage.setItem(KEPT + id, JSON.stringify(rest));
}

export function forgetConversation(id: string) {
  deviceStorage.removeItem(KEPT + id);
}

export function keptConversation(id: string): KeptConversation | undefined {
  const kept = (parsed(deviceStorage.getItem(KEPT + id)) ?? {}) as Partial<KeptConversation>;
  const { secret, to, since } = kept;
  if (typeof secret !== "string" || typeof to !== "string" || typeof since !== "number") return undefined;
  return { id, secret, to, since };
}

/** All that are remembered, newest first; or only those with one person. */
export function keptConversations(to?: string): KeptConversation[] {
  return deviceStorage
    .keys()
    .flatMap((key) => (key.startsWith(KEPT) ? (keptConversation(key.slice(KEPT.length)) ?? []) : []))
    .filter((kept) => to === undefined || kept.to.toLowerCase() === to.toLowerCase())
    .sort((one, other) => other.since - one.since);
}
