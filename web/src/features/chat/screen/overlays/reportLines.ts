import type { ReportLine } from "@/shared/report/ReportDialog";
import { reportText } from "@/shared/text/reportText";
import type { ChatState, Message } from "../../model/chat";
import { memberName } from "../named";

/** How many messages before and after the reported one are offered, so that it can be understood. */
const AROUND = 10;

/** The messages that can be reported, oldest first: all that are here, or those around one. */
export function linesOf({ lines }: Pick<ChatState, "lines">, around?: number): ReportLine[] {
  const sent = lines.filter(
    (line): line is Message & { seq: number } =>
      line.kind === "message" && line.seq !== undefined && !line.retracted,
  );
  const at = sent.findIndex(({ seq }) => seq === around);
  const near = at < 0 ? sent : sent.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  return near.map(({ seq, sender, mine, words }) => ({
    seq,
    from: mine ? reportText.you : memberName(sender),
    words,
  }));
}
