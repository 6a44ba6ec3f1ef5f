import { chat } from "./en/chat";
import { inUse } from "./language";

export type ChatText = typeof chat;

const others = import.meta.glob<ChatText>(["./*/chat.ts", "!./en/*"], { import: "chat" });

export const chatText = await inUse(chat, others);

/** Each member's emoji with its name. */
export function namesIn({ screen }: ChatText): ReadonlyMap<string, string> {
  return new Map(
    Array.from(screen.memberNames.matchAll(/([^\s,]+) ([^,\n]+)/g), ([, emoji = "", name = ""]) => [
      emoji,
      name,
    ]),
  );
}
