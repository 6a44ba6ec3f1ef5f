import { push } from "./en/push";
import { inUse } from "./language";

export type PushText = typeof push;

const others = import.meta.glob<PushText>(["./*/push.ts", "!./en/*"], { import: "push" });

export const pushText = await inUse(push, others);
