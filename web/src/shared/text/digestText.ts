import { digest } from "./en/digest";
import { inUse } from "./language";

export type DigestText = typeof digest;

const others = import.meta.glob<DigestText>(["./*/digest.ts", "!./en/*"], { import: "digest" });

export const digestText = await inUse(digest, others);
