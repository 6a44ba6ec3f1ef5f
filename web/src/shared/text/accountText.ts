import { account } from "./en/account";
import { inUse } from "./language";

export type AccountText = typeof account;

const others = import.meta.glob<AccountText>(["./*/account.ts", "!./en/*"], { import: "account" });

export const accountText = await inUse(account, others);
