import { ReportPage } from "@/features/report/ReportPage";
import { text } from "@/shared/text/text";
import { page } from "../usePageTitle";

export const { Component, handle } = page(() => text.footer.report, ReportPage);
