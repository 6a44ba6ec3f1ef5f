import { lazy, Suspense } from "react";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Menu } from "@/shared/ui/overlay/Menu";
import { QrDialog } from "@/shared/ui/overlay/QrDialog";
import { useRoom, useScreen } from "../chatContext";
import { memberName } from "../named";
import { KickDialog } from "./KickDialog";
import { MessageMenu } from "./MessageMenu";
import { PreviewForm } from "./PreviewForm";
import { ReactionPicker } from "./ReactionPicker";
import { RoomMenu } from "./RoomMenu";
import { Viewer } from "./Viewer";

/** Its code is loaded when a message is first reported. */
const ReportMessages = lazy(async () => ({ default: (await import("./ReportMessages")).ReportMessages }));

/** The menu or dialog that is open. All are in one file, because they are small. */
export function Opened() {
  const words = chatText.screen;
  const { store, actions, screen } = useRoom();
  const open = useScreen((state) => state.open);

  /** Something that began in one dialog may end when another one is already open, which must stay open. */
  function close() {
    screen.setState((state) => (state.open === open ? { open: undefined } : state));
  }

  switch (open?.is) {
    case "roomMenu":
      return <RoomMenu from={open.from} onClose={close} />;
    case "messageMenu":
      return <MessageMenu onClose={close} place={open} />;
    case "seatMenu": {
      const { emoji, from } = open;
      const kick = () => screen.setState({ open: { is: "kick", emoji } });
      const entry = { label: words.members.kick(memberName(emoji)), act: kick, danger: true };
      return (
        <Menu entries={[entry]} from={from} label={words.members.menu(memberName(emoji))} onClose={close} />
      );
    }
    case "preview":
      return (
        <Dialog onClose={close} title={words.preview.title(open.pictures.length)}>
          <PreviewForm onClose={close} pictures={open.pictures} />
        </Dialog>
      );
    case "reactionPicker":
      return <ReactionPicker messageKey={open.key} onClose={close} />;
    case "viewer":
      return <Viewer onClose={close} viewing={open.key} />;
    case "report":
      return (
        <Suspense>
          <ReportMessages messageKey={open.key} onClose={close} />
        </Suspense>
      );
    case "kick":
      return <KickDialog emoji={open.emoji} onClose={close} />;
    case "question": {
      const act = { lock: () => actions.lock(true), close: actions.close, leave: actions.leave }[open.about];
      const { removal } = appText.rooms;
      const question =
        open.about === "close"
          ? { ...removal, title: removal.title(store.getState().room.name) }
          : words[open.about];
      const kind = open.about === "lock" ? "hot" : "danger";
      return <ConfirmDialog {...question} kind={kind} onClose={close} onConfirm={act} />;
    }
    case "invite": {
      const link = roomLink(store.getState().room.id);
      return <QrDialog {...words.qr} fileName="annon-group" link={link} onClose={close} />;
    }
    case undefined:
      return null;
  }
}
