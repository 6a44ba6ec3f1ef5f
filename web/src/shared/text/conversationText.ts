import { conversation } from "./en/conversation";
import { inUse } from "./language";

export type ConversationText = typeof conversation;

const others = import.meta.glob<ConversationText>(["./*/conversation.ts", "!./en/*"], {
  import: "conversation",
});

export const conversationText = await inUse(conversation, others);
