import { work } from "./en/work";
import { inUse } from "./language";

export type WorkText = typeof work;

const others = import.meta.glob<WorkText>(["./*/work.ts", "!./en/*"], { import: "work" });

export const workText = await inUse(work, others);
