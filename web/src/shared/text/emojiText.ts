import { emoji } from "./en/emoji";
import { inUse } from "./language";

const others = import.meta.glob<string>(["./*/emoji.ts", "!./en/*"], { import: "emoji" });

export const emojiText = await inUse(emoji, others);
