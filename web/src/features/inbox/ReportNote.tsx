import { ReportDialog } from "@/shared/report/ReportDialog";
import { token } from "@/shared/session/session";
import { reportText } from "@/shared/text/reportText";

/** `opened` are the words of a sealed note. */
type Props = { id: string; opened?: string | undefined; onClose: () => void };

/** Reports a note to the operator. */
export function ReportNote(props: Props) {
  const access = () => ({ token: token() ?? "" });
  return <ReportDialog {...props} about="note" access={access} words={reportText.note} />;
}
