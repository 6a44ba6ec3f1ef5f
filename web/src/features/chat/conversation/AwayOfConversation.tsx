import { useState } from "react";
import { api } from "@/shared/api/api";
import { type Away, AwayDialog } from "@/shared/away/AwayDialog";
import { keysOf } from "@/shared/conversations/secret";
import { pushText } from "@/shared/text/pushText";

type Props = {
  id: string;
  secret: string;
  /** The message leads to the conversation's page, which has no key unless this device remembers it. */
  onBegin: () => void;
  onClose: () => void;
};

/** Tells the one who wrote the note of an answer while no page is open. */
export function AwayOfConversation({ id, secret, onBegin, onClose }: Props) {
  const [away] = useState(() => awayOf(id, secret, onBegin));
  return <AwayDialog away={away} onClose={onClose} />;
}

function awayOf(id: string, secret: string, onBegin: () => void): Away {
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
  };
}
