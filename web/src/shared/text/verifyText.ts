import { verify } from "./en/verify";
import { inUse } from "./language";

export type VerifyText = typeof verify;

const others = import.meta.glob<VerifyText>(["./*/verify.ts", "!./en/*"], { import: "verify" });

export const verifyText = await inUse(verify, others);
