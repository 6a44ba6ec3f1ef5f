import { knock } from "./en/knock";
import { inUse } from "./language";

export type KnockText = typeof knock;

const others = import.meta.glob<KnockText>(["./*/knock.ts", "!./en/*"], { import: "knock" });

export const knockText = await inUse(knock, others);
