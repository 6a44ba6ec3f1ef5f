import { roomLink } from "@/shared/links";
import { chatText } from "@/shared/text/chatText";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Menu } from "@/shared/ui/overlay/Menu";
import { QrDialog } from "@/shared/ui/overlay/QrDialog";
import { useChat, useRoom, useScreen } from "../chatContext";
import { memberName } from "../named";
import { KickDialog } from "./KickDialog";
import { MessageMenu } from "./MessageMenu";
import { PreviewForm } from "./PreviewForm";
import { Question } from "./Question";
import { RoomMenu } from "./RoomMenu";
import { Viewer } from "./Viewer";

/** The menus and dialogs, each drawn while it is asked for. They are small: who fetches one has them all. */
export function Opened() {
  return (
    <>
      <RoomMenu />
      <MessageMenu />
      <SeatMenu />
      <PreviewDialog />
      <Viewer />
      <KickDialog />
      <Question />
      <InviteCode />
    </>
  );
}

/** Shows what is about to be sent; closing it sends nothing. */
function PreviewDialog() {
  const { screen } = useRoom();
  const pictures = useScreen((state) => state.chosen);
  if (pictures.length === 0) return null;
  const close = () => screen.setState({ chosen: [] });
  return (
    <Dialog onClose={close} title={chatText.screen.preview.title(pictures.length)}>
      <PreviewForm onClose={close} pictures={pictures} />
    </Dialog>
  );
}

/** What the creator can do with a member. */
function SeatMenu() {
  const words = chatText.screen.members;
  const { screen } = useRoom();
  const place = useScreen((state) => state.seatMenu);
  if (!place) return null;
  const { emoji, from } = place;
  return (
    <Menu
      entries={[
        { label: words.kick(memberName(emoji)), act: () => screen.setState({ doomed: emoji }), danger: true },
      ]}
      from={from}
      label={words.menu(memberName(emoji))}
      onClose={() => screen.setState({ seatMenu: undefined })}
    />
  );
}

/** The group's link as a code, to be held up to another phone. */
function InviteCode() {
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
