import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/shared/contract/pages";
import { nameTab } from "@/shared/tabTitle";
import { appText } from "@/shared/text/appText";
import { conversationText } from "@/shared/text/conversationText";
import { text } from "@/shared/text/text";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import { useChat } from "../screen/chatContext";
import header from "../screen/header/RoomHeader.module.css";
import type { OpenMenu } from "./ConversationMenu";

/** Conversations that aren't sealed never load it. */
const SealedTalkMark = lazy(async () => ({
  default: (await import("./sealing/SealedTalkMark")).SealedTalkMark,
}));

/** Its code is loaded when it is first opened. */
const ConversationMenu = lazy(async () => ({
  default: (await import("./ConversationMenu")).ConversationMenu,
}));

/** With whom one talks, and the button for the menu. */
export function ConversationHeader({ home, secret }: { home: string; secret: string | undefined }) {
  const words = conversationText;
  const { name } = useChat((chat) => chat.room);
  const side = useChat((chat) => chat.pair?.side);
  const isSealed = useChat((chat) => chat.pair?.note.sealed !== undefined);
  const unread = useChat((chat) => chat.unread);
  const [open, setOpen] = useState<OpenMenu>();
  const back = home === paths.landing ? text.actions.toStart : appText.home.tabs.inbox;

  // The tab's title has the number of unread lines.
  useEffect(() => nameTab(name, unread), [name, unread]);

  return (
    <header className={header.header}>
      <Link aria-label={back} className={header.back} title={back} to={home}>
        <Icon name="back" />
      </Link>
      <div className={header.about}>
        <h1 className={header.name} dir="auto">
          {name}
        </h1>
        <div className={header.state}>
          <span className="one-line soft">{words.page.youAre[side ?? "sender"]}</span>
          <Suspense>{isSealed && <SealedTalkMark />}</Suspense>
        </div>
      </div>
      <IconButton
        aria-expanded={open?.is === "menu"}
        aria-haspopup="menu"
        icon="more"
        label={appText.more}
        onClick={({ currentTarget: from }) => setOpen({ is: "menu", from })}
      />
      <Suspense>
        {open && <ConversationMenu name={name} onOpen={setOpen} open={open} secret={secret} />}
      </Suspense>
    </header>
  );
}
