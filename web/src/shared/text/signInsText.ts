import { signIns } from "./en/signIns";
import { inUse } from "./language";

export type SignInsText = typeof signIns;

const others = import.meta.glob<SignInsText>(["./*/signIns.ts", "!./en/*"], { import: "signIns" });

export const signInsText = await inUse(signIns, others);
