import { sealed } from "./en/sealed";
import { inUse } from "./language";

export type SealedText = typeof sealed;

const others = import.meta.glob<SealedText>(["./*/sealed.ts", "!./en/*"], { import: "sealed" });

export const sealedText = await inUse(sealed, others);
