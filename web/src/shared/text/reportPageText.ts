import { reportPage } from "./en/reportPage";
import { inUse } from "./language";

export type ReportPageText = typeof reportPage;

const others = import.meta.glob<ReportPageText>(["./*/reportPage.ts", "!./en/*"], { import: "reportPage" });

export const reportPageText = await inUse(reportPage, others);
