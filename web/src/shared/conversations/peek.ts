import { api } from "@/shared/api/api";
import { CONVERSATIONS_PEEKED } from "@/shared/contract/limits";
import { forgetConversation, type KeptConversation } from "./kept";
import { keysOf } from "./secret";

/** How a remembered conversation stands: how many answers are new, and whether more can be said. */
export type Standing = { unread: number; open: boolean };

/**
 * Asks how these stand, without opening any of them. Those that the server doesn't know any more are forgotten; without
 * an answer nothing is known, and all stay.
 */
export async function peek(kept: readonly KeptConversation[]): Promise<ReadonlyMap<string, Standing>> {
  const asked = kept.slice(0, CONVERSATIONS_PEEKED);
  const keys = await Promise.all(asked.map(({ secret }) => keysOf(secret)));
  const ids = keys.filter((pair) => pair !== undefined);
  if (ids.length === 0) return new Map();
  const { data } = await api("post", "/api/conversations/peek", { json: { ids } });
  const standing = new Map(data.map(({ id, unread, open }) => [id, { unread, open }]));
  for (const { id } of asked) if (!standing.has(id)) forgetConversation(id);
  return standing;
}
