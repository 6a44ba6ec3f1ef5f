import { groupLink } from "./en/groupLink";
import { inUse } from "./language";

export type GroupLinkText = typeof groupLink;

const others = import.meta.glob<GroupLinkText>(["./*/groupLink.ts", "!./en/*"], { import: "groupLink" });

export const groupLinkText = await inUse(groupLink, others);
