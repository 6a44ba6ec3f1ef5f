import { inbox } from "./en/inbox";
import { inUse } from "./language";

export type InboxText = typeof inbox;

const others = import.meta.glob<InboxText>(["./*/inbox.ts", "!./en/*"], { import: "inbox" });

export const inboxText = await inUse(inbox, others);
