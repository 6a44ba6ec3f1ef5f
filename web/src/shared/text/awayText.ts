import { away } from "./en/away";
import { inUse } from "./language";

export type AwayText = typeof away;

const others = import.meta.glob<AwayText>(["./*/away.ts", "!./en/*"], { import: "away" });

export const awayText = await inUse(away, others);
