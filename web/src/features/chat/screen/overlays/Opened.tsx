import { KickDialog } from "./KickDialog";
import { MessageMenu } from "./MessageMenu";
import { PreviewDialog } from "./PreviewDialog";
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
