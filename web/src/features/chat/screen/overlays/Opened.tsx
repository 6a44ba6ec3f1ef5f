import { chatText } from "@/shared/text/chatText";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { useRoom, useScreen } from "../chatContext";
import { KickDialog } from "./KickDialog";
import { MessageMenu } from "./MessageMenu";
import { PreviewForm } from "./PreviewForm";
import { Question } from "./Question";
import { RoomMenu } from "./RoomMenu";
import { SeatMenu } from "./SeatMenu";
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
    </>
  );
}

/** Shows what is about to be sent; closing it sends nothing. */
export function PreviewDialog() {
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
