import { lazy, Suspense } from "react";
import { roomLink } from "@/shared/links";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { groupLinkText } from "@/shared/text/groupLinkText";
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

/** Its code is loaded when a member first asks to be told of things. */
const AwayOfGroup = lazy(async () => ({ default: (await import("./AwayOfGroup")).AwayOfGroup }));

/** Groups that aren't sealed never load it. */
const NewGroupDialog = lazy(async () => ({
  default: (await import("../../sealing/NewGroupDialog")).NewGroupDialog,
}));

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
      const isSealed = store.getState().room.key !== undefined;
      const allBut = () => screen.setState({ open: { is: "allBut", emoji } });
      const name = memberName(emoji);
      return (
        <Menu
          entries={[
            isSealed && { label: groupLinkText.allBut(name), act: allBut },
            { label: words.members.kick(name), act: kick, danger: true },
          ]}
          from={from}
          label={words.members.menu(name)}
          onClose={close}
        />
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
    case "away":
      return (
        <Suspense>
          <AwayOfGroup id={store.getState().room.id} onClose={close} />
        </Suspense>
      );
    case "kick":
      return <KickDialog emoji={open.emoji} onClose={close} />;
    case "allBut":
      return (
        <Suspense>
          <NewGroupDialog but={open.emoji} onClose={close} />
        </Suspense>
      );
    case "question": {
      const act = {
        lock: () => actions.lock(true),
        newLink: async () => (await actions.newLink()) && showNotice(groupLinkText.done),
        close: actions.close,
        leave: actions.leave,
      }[open.about];
      const { removal } = appText.rooms;
      const question =
        open.about === "close"
          ? { ...removal, title: removal.title(store.getState().room.name) }
          : open.about === "newLink"
            ? groupLinkText.renew
            : groupLinkText[open.about];
      const kind = open.about === "lock" || open.about === "newLink" ? "hot" : "danger";
      return <ConfirmDialog {...question} kind={kind} onClose={close} onConfirm={act} />;
    }
    case "invite": {
      const { link, key } = store.getState().room;
      return <QrDialog {...words.qr} fileName="annon-group" link={roomLink(link, key)} onClose={close} />;
    }
    case undefined:
      return null;
  }
}
