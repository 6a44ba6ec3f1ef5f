import { roomLink } from "@/shared/links";
import { chatText } from "@/shared/text/chatText";
import { QrDialog } from "@/shared/ui/overlay/QrDialog";
import { useChat, useRoom, useScreen } from "../chatContext";

/** The group's link as a code, to be held up to another phone. */
export function InviteCode() {
  const words = chatText.screen.qr;
  const { screen } = useRoom();
  const id = useChat((chat) => chat.room.id);
  if (!useScreen((state) => state.inviting)) return null;
  return (
    <QrDialog
      body={words.body}
      fileName="annon-group"
      link={roomLink(id)}
      onClose={() => screen.setState({ inviting: false })}
      title={words.title}
    />
  );
}
