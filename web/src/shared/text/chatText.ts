import { chat } from "./en/chat";
import { inUse } from "./language";

export type ChatText = typeof chat;

const others = import.meta.glob<ChatText>(["./*/chat.ts", "!./en/*"], { import: "chat" });

/** The words of a group's screen, loaded with it. */
export const chatText = await inUse(chat, others);
