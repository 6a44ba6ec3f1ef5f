import { keysOf } from "@/shared/conversations/secret";
import { ReportDialog } from "@/shared/report/ReportDialog";
import { token } from "@/shared/session/session";
import { reportText } from "@/shared/text/reportText";
import { useChat, useRoom } from "../screen/chatContext";
import { linesOf } from "../screen/overlays/reportLines";

/** Reports a conversation to the operator: the note that it began with, and the lines that are chosen. */
export function ReportConversation({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const words = reportText.conversation;
  const { store } = useRoom();
  const { id } = useChat((chat) => chat.room);
  const side = useChat((chat) => chat.pair?.side ?? "sender");
  const note = useChat(({ pair }) => (pair?.note.sealed === undefined ? undefined : pair.note.message));

  async function access() {
    if (secret === undefined) return { token: token() ?? "" };
    return { key: (await keysOf(secret))?.key ?? "" };
  }

  return (
    <ReportDialog
      about="conversation"
      access={access}
      id={id}
      isSealed={note !== undefined}
      lines={linesOf(store.getState())}
      onClose={onClose}
      opened={note}
      words={{ name: words.name, body: words.body[side] }}
    />
  );
}
