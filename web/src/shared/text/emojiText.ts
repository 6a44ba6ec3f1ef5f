import { emoji } from "./en/emoji";
import { inUse } from "./language";

const others = import.meta.glob<string>(["./*/emoji.ts", "!./en/*"], { import: "emoji" });

/** What the emoji are called, loaded with them. */
export const emojiText = await inUse(emoji, others);
