import { report } from "./en/report";
import { inUse } from "./language";

export type ReportText = typeof report;

const others = import.meta.glob<ReportText>(["./*/report.ts", "!./en/*"], { import: "report" });

export const reportText = await inUse(report, others);
