import { ReportDialog } from "@/shared/report/ReportDialog";
import { reportText } from "@/shared/text/reportText";
import { seatHeaders } from "../../connection/ask";
import { useRoom } from "../chatContext";
import { messageOf } from "../log/rows";
import { linesOf } from "./reportLines";

/** Reports a message of a group to the operator, and those around it that are chosen. */
export function ReportMessages({ messageKey, onClose }: { messageKey: string; onClose: () => void }) {
  const { store } = useRoom();
  const state = store.getState();
  const isSealed = state.room.key !== undefined;
  const chosen = messageOf(state, messageKey)?.seq;
  return (
    <ReportDialog
      about="room"
      access={() => ({ seat: seatHeaders() })}
      chosen={chosen}
      id={state.room.id}
      isSealed={isSealed}
      lines={linesOf(state, chosen)}
      onClose={onClose}
      words={isSealed ? reportText.sealed : reportText.room}
    />
  );
}
