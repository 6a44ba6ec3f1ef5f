import { api } from "@/shared/api/api";
import { CONVERSATIONS_PEEKED } from "@/shared/contract/limits";
import { endConversations, type KeptConversation } from "./kept";
import { keysOf } from "./secret";

/** How a remembered conversation stands. */
export type Standing = {
  /** How many answers are new. */
  unread: number;
  /** The number of the newest answer; 0 if there is none. */
  answered: number;
  /** Whether more can be said. */
  open: boolean;
};

/**
 * Asks how these stand, without opening any of them. Those that the server doesn't know any more have ended; without
 * an answer nothing is known, and all stay.
 */
export async function peek(kept: readonly KeptConversation[]): Promise<ReadonlyMap<string, Standing>> {
  const asked = kept.slice(0, CONVERSATIONS_PEEKED);
  const keys = await Promise.all(asked.map(({ secret }) => keysOf(secret)));
  const ids = keys.filter((pair) => pair !== undefined);
  if (ids.length === 0) return new Map();
  const { data } = await api("post", "/api/conversations/peek", { json: { ids } });
  const standing = new Map(data.map(({ id, ...rest }) => [id, rest]));
  const ended = asked.filter(({ id }) => !standing.has(id)).map(({ id }) => id);
  if (ended.length > 0) endConversations(...ended);
  return standing;
}

/** How many answers this device hasn't shown and nobody else has read. What it has just shown counts as read. */
export function newAnswers({ read = 0 }: KeptConversation, standing: Standing | undefined): number {
  return standing && standing.answered > read ? standing.unread : 0;
}
