import { api } from "@/shared/api/api";
import { keysOf } from "@/shared/conversations/secret";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { pushText } from "@/shared/text/pushText";
import type { Away } from "./away";

const bearer = () => ({ token: token() ?? "" });

/** What an account's owner is told of. */
export const OF_ACCOUNT: Away = {
  kinds: pushText.kinds,
  load: () => api("get", "/api/push", bearer()),
  keep: (kinds, subscription) => api("put", "/api/push", { json: { ...subscription, kinds }, ...bearer() }),
  drop: (id) => api("delete", "/api/push/{id}", { params: { id }, ...bearer() }),
  failed: tellFailure,
};

/**
 * What the one who wrote a note is told of. The message leads to the conversation's page, which has no key unless this
 * device remembers it: that is what `onBegin` is for.
 */
export function ofConversation(id: string, secret: string, onBegin: () => void): Away {
  const given = async () => ({ params: { id }, key: (await keysOf(secret))?.key ?? "" });
  return {
    kinds: { answer: pushText.answered },
    load: async () => api("get", "/api/conversation/{id}/push", await given()),
    keep: async (_, json) => {
      const kept = await api("put", "/api/conversation/{id}/push", { json, ...(await given()) });
      onBegin();
      return kept;
    },
    drop: async (subscription) =>
      api("delete", "/api/conversation/{id}/push", { query: { subscription }, ...(await given()) }),
    failed: tellFailure,
  };
}
