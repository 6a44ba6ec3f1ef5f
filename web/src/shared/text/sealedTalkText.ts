import { sealedTalk } from "./en/sealedTalk";
import { inUse } from "./language";

export type SealedTalkText = typeof sealedTalk;

const others = import.meta.glob<SealedTalkText>(["./*/sealedTalk.ts", "!./en/*"], { import: "sealedTalk" });

export const sealedTalkText = await inUse(sealedTalk, others);
