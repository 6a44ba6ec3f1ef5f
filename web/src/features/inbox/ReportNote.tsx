import { ReportDialog } from "@/shared/report/ReportDialog";
import { token } from "@/shared/session/session";
import { reportText } from "@/shared/text/reportText";

/** Reports a note to the operator. */
export function ReportNote({ id, onClose }: { id: string; onClose: () => void }) {
  const access = () => ({ token: token() ?? "" });
  return <ReportDialog about="note" access={access} id={id} onClose={onClose} words={reportText.note} />;
}
