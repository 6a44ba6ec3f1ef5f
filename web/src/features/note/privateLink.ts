import { keysOf, newSecret, proofOf } from "@/shared/conversations/secret";
import { tabStorage } from "@/shared/storage";
import { conversationText } from "@/shared/text/conversationText";
import { DeviceFailure } from "@/shared/text/failureText";

/** A conversation that a note begins. The secret stays in this browser; the server gets the id and the proof. */
export type NewConversation = { secret: string; id: string; proof: string };

export async function newConversation(): Promise<NewConversation> {
  const secret = newSecret();
  const keys = await keysOf(secret);
  if (!keys) throw new DeviceFailure(conversationText.page.insecure);
  return { secret, id: keys.id, proof: await proofOf(keys) };
}

const SAFE = "annon.link.";

/** Whether a private link was copied, shared or remembered, or whether its user has said that they don't need it. */
export const isLinkSafe = (id: string) => tabStorage.getItem(SAFE + id) !== null;

export function markLinkSafe(id: string) {
  tabStorage.setItem(SAFE + id, "1");
}
