import { scripts } from "./en/scripts";
import { inUse } from "./language";

const others = import.meta.glob<typeof scripts>(["./*/scripts.ts", "!./en/*"], { import: "scripts" });

export const scriptsText = await inUse(scripts, others);
