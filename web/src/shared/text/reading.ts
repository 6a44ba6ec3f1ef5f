import { reading as english, type ReadingMatter } from "./en/reading";
import { inUse } from "./language";

const others = import.meta.glob<ReadingMatter>(["./*/reading.ts", "!./en/*"], { import: "reading" });

export const reading = await inUse(english, others);
