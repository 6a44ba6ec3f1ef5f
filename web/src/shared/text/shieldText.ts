import { shield } from "./en/shield";
import { inUse } from "./language";

export type ShieldText = typeof shield;

const others = import.meta.glob<ShieldText>(["./*/shield.ts", "!./en/*"], { import: "shield" });

export const shieldText = await inUse(shield, others);
