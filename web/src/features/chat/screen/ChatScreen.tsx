import { useMemo } from "react";
import type { ChatRoom } from "../ChatRoom";
import { Bars } from "./Bars";
import styles from "./ChatScreen.module.css";
import { type Chat, ChatContext } from "./chatContext";
import { Composer } from "./composer/Composer";
import { DropZone } from "./composer/DropZone";
import { MembersPanel } from "./header/MembersPanel";
import { RoomHeader } from "./header/RoomHeader";
import { Log } from "./log/Log";
import { Overlays } from "./overlays/Overlays";
import { createScreen } from "./screen";

/** A group's screen: as high as the window, so that what one writes in stays where the thumb is. */
export function ChatScreen({ room, home }: { room: ChatRoom; home: string }) {
  const chat = useMemo<Chat>(
    () => ({ store: room.store, actions: room, screen: createScreen(room.draft().replyTo) }),
    [room],
  );
  return (
    <ChatContext value={chat}>
      <div className={styles.screen} ref={keepVisible}>
        <div className={styles.above}>
          <div className={styles.top}>
            <RoomHeader home={home} />
          </div>
          <Bars />
          <main className={styles.main} id="main" tabIndex={-1}>
            <MembersPanel />
            <Log />
          </main>
        </div>
        <Composer />
        <DropZone />
      </div>
      <Overlays />
    </ChatContext>
  );
}

/**
 * Keeps the screen as high as what a phone's keyboard leaves of it. Most browsers make the page smaller themselves, as
 * index.html asks them to; Safari only lays the keyboard over it.
 */
function keepVisible(screen: HTMLElement | null) {
  const { visualViewport: visible } = window;
  if (!screen || !visible) return;
  const fit = () => {
    // Zoomed in, the visible part is a part of the page and not what is left of it.
    if (visible.scale > 1.01) return;
    const isCovered = window.innerHeight - visible.height > 1;
    screen.style.setProperty("--visible", isCovered ? `${visible.height}px` : "100dvh");
    if (isCovered) window.scrollTo(0, 0);
  };
  visible.addEventListener("resize", fit);
  return () => visible.removeEventListener("resize", fit);
}
