import { lazy, type MouseEvent, Suspense, useEffect } from "react";
import { ROOM_NAME_SHOWN } from "@/shared/contract/limits";
import { paths } from "@/shared/contract/pages";
import { goTo } from "@/shared/overlays";
import { graphemes } from "@/shared/richText/tokens";
import { nameTab } from "@/shared/tabTitle";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { text } from "@/shared/text/text";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import { useChat, useRoom, useScreen } from "../chatContext";
import { memberName } from "../named";
import { Countdown } from "./Countdown";
import { MembersToggle } from "./MembersToggle";
import styles from "./RoomHeader.module.css";

/** Groups that aren't sealed never load it. */
const SealedMark = lazy(async () => ({ default: (await import("../../sealing/SealedMark")).SealedMark }));

export function RoomHeader({ home }: { home: string }) {
  const { name, locked, key } = useChat((chat) => chat.room);
  const me = useChat((chat) => chat.me);
  const unread = useChat((chat) => chat.unread);
  const mentioned = useChat((chat) => chat.mentioned);
  const { screen } = useRoom();
  const isMenuOpen = useScreen(({ open }) => open?.is === "roomMenu");
  const { composer, notices, header } = chatText.screen;
  const signs = graphemes(name);
  const back = home === paths.landing ? text.actions.toStart : header.toRooms;

  // The tab's title has the number of unread messages.
  useEffect(() => nameTab(name, unread, mentioned), [name, unread, mentioned]);

  /** Not by the router's link: a group can be there before the router. */
  function goHome(event: MouseEvent) {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    void goTo(home);
  }

  return (
    <header className={styles.header}>
      <a aria-label={back} className={styles.back} href={home} onClick={goHome} title={back}>
        <Icon name="back" />
      </a>
      <div className={styles.about}>
        <h1
          className={styles.name}
          data-cut={signs.length > ROOM_NAME_SHOWN || undefined}
          dir="auto"
          title={name}
        >
          {signs.slice(0, ROOM_NAME_SHOWN).join("")}
        </h1>
        <div className={styles.state}>
          <span className={`one-line ${styles.you}`}>{composer.youAre(memberName(me))}</span>
          <Countdown />
          {key && (
            <Suspense>
              <SealedMark />
            </Suspense>
          )}
          {locked && (
            <span aria-label={notices.locked} className="soft" role="img" title={notices.locked}>
              <Icon name="lock" size={14} />
            </span>
          )}
        </div>
      </div>
      <MembersToggle />
      <IconButton
        aria-expanded={isMenuOpen}
        aria-haspopup="menu"
        icon="more"
        label={appText.more}
        onClick={({ currentTarget: from }) => screen.setState({ open: { is: "roomMenu", from } })}
      />
    </header>
  );
}
