import { lazy, Suspense } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { forgetConversations, keptConversation, rememberConversation } from "@/shared/conversations/kept";
import { conversationLink, shareLink } from "@/shared/links";
import { showNotice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { conversationText } from "@/shared/text/conversationText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Menu, type MenuEntry } from "@/shared/ui/overlay/Menu";
import { useChat, useRoom } from "../screen/chatContext";
import { setSound, soundIsOn } from "../sounds";

const QrDialog = lazy(async () => ({ default: (await import("@/shared/ui/overlay/QrDialog")).QrDialog }));

/** Its code is loaded when a conversation is first reported. */
const ReportConversation = lazy(async () => ({
  default: (await import("./ReportConversation")).ReportConversation,
}));

const AwayOfConversation = lazy(async () => ({
  default: (await import("./AwayOfConversation")).AwayOfConversation,
}));

/** The menu, or what one of its entries has opened. */
export type OpenMenu = { is: "menu"; from: HTMLElement } | { is: "away" | "close" | "end" | "qr" | "report" };

type Props = {
  open: OpenMenu;
  onOpen: (open: OpenMenu | undefined) => void;
  name: string;
  secret: string | undefined;
};

/** The menu of a conversation. The sender's has the private link, and the owner's closes the conversation. */
export function ConversationMenu({ open, onOpen, name, secret }: Props) {
  const words = conversationText;
  const { actions } = useRoom();
  const { id } = useChat((chat) => chat.room);
  const read = useChat((chat) => chat.lastSeq);
  const isSealed = useChat(({ pair }) => pair?.note.sealed !== undefined);
  const canClose = useChat(({ pair }) => pair?.side === "owner" && pair.isOpen);
  const sound = soundIsOn();
  const close = () => onOpen(undefined);

  if (open.is === "menu") {
    return (
      <Menu
        entries={[
          ...(secret === undefined ? [] : linkEntries(id, secret)),
          {
            label: sound ? chatText.screen.menu.mute : chatText.screen.menu.unmute,
            act: () => setSound(!sound),
          },
          "separator",
          { label: words.page.report, act: () => onOpen({ is: "report" }) },
          canClose && { label: words.page.close.entry, act: () => onOpen({ is: "close" }) },
          { label: words.page.end.entry, act: () => onOpen({ is: "end" }), danger: true },
        ]}
        from={open.from}
        label={appText.more}
        onClose={close}
      />
    );
  }
  if (open.is === "qr") {
    return (
      <Suspense>
        <QrDialog
          {...words.link.qr}
          fileName="annon-conversation"
          link={conversationLink(id, secret ?? "")}
          onClose={close}
        />
      </Suspense>
    );
  }
  if (open.is === "away") {
    return (
      <Suspense>
        <AwayOfConversation
          id={id}
          onBegin={() => remember(secret ?? "")}
          onClose={close}
          secret={secret ?? ""}
        />
      </Suspense>
    );
  }
  if (open.is === "report") {
    return (
      <Suspense>
        <ReportConversation onClose={close} secret={secret} />
      </Suspense>
    );
  }
  return (
    <ConfirmDialog
      {...words.page[open.is]}
      kind={open.is === "end" ? "danger" : "hot"}
      onClose={close}
      onConfirm={() => (open.is === "end" ? actions.close() : actions.lock(true))}
    />
  );

  function remember(secret: string) {
    const kept = { id, secret, to: name, since: Date.now(), read, ...(isSealed && { isSealed }) };
    if (!keptConversation(id)) rememberConversation(kept);
  }

  function linkEntries(id: string, secret: string): MenuEntry[] {
    const link = conversationLink(id, secret);
    return [
      { label: words.page.copy, act: () => void copyAndTell(link, words.link.copied) },
      { label: words.page.showQr, act: () => onOpen({ is: "qr" }) },
      typeof navigator.share === "function" && {
        label: words.page.share,
        act: () => void shareLink({ url: link }),
      },
      keptConversation(id)
        ? { label: words.link.forgetHere, act: () => forgetConversations(id) }
        : {
            label: words.link.remember,
            act: () => {
              remember(secret);
              showNotice(words.link.remembered);
            },
          },
      { label: words.page.away, act: () => onOpen({ is: "away" }) },
      "separator",
    ];
  }
}
