import { groupNames } from "./en/groupNames";
import { inUse } from "./language";

export type GroupNamesText = typeof groupNames;

const others = import.meta.glob<GroupNamesText>(["./*/groupNames.ts", "!./en/*"], { import: "groupNames" });

export const groupNamesText = await inUse(groupNames, others);
