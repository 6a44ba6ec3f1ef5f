import { sealedInbox } from "./en/sealedInbox";
import { inUse } from "./language";

export type SealedInboxText = typeof sealedInbox;

const others = import.meta.glob<SealedInboxText>(["./*/sealedInbox.ts", "!./en/*"], {
  import: "sealedInbox",
});

export const sealedInboxText = await inUse(sealedInbox, others);
