import { app } from "./en/app";
import { inUse } from "./language";

export type AppText = typeof app;

const others = import.meta.glob<AppText>(["./*/app.ts", "!./en/*"], { import: "app" });

export const appText = await inUse(app, others);
