import { type ReactNode, useMemo } from "react";
import type { ChatRoom } from "../ChatRoom";
import { Bars } from "./Bars";
import styles from "./ChatScreen.module.css";
import { ChatContext, type ChatContextValue } from "./chatContext";
import { Composer } from "./composer/Composer";
import { DropZone } from "./composer/DropZone";
import { MembersPanel } from "./header/MembersPanel";
import { RoomHeader } from "./header/RoomHeader";
import { Log } from "./log/Log";
import { Overlays } from "./overlays/Overlays";
import { createScreen } from "./screen";

type GroupProps = { room: ChatRoom; home: string; children?: ReactNode };

/** A group's screen. What is inside stands above the log. */
export function ChatScreen({ room, home, children }: GroupProps) {
  return (
    <ChatLayout above={children} header={<RoomHeader home={home} />} panel={<MembersPanel />} room={room}>
      <Composer />
      <DropZone />
    </ChatLayout>
  );
}

type Props = Pick<ChatContextValue, "head"> & {
  room: ChatRoom;
  header: ReactNode;
  /** Above the log. */
  above?: ReactNode;
  /** Beside the log, or over it. */
  panel?: ReactNode;
  /** Below the log. */
  children: ReactNode;
};

/** It is as high as the window, so that the message box is always at the bottom. */
export function ChatLayout({ room, header, head, above, panel, children }: Props) {
  const chat = useMemo<ChatContextValue>(
    () => ({
      store: room.store,
      actions: room,
      screen: createScreen(room.draft().replyTo),
      ...(head && { head }),
    }),
    [room, head],
  );
  return (
    <ChatContext value={chat}>
      <div className={styles.screen} ref={keepVisible}>
        <div className={styles.above}>
          <div className={styles.top}>{header}</div>
          <Bars />
          {above}
          <main className={styles.main} id="main" tabIndex={-1}>
            {panel}
            <Log />
          </main>
        </div>
        {children}
      </div>
      <Overlays />
    </ChatContext>
  );
}

/**
 * Makes the screen as high as the part that a phone's keyboard does not cover. Most browsers do that by themselves, as
 * index.html asks them to; in Safari the keyboard covers the page.
 */
function keepVisible(screen: HTMLElement | null) {
  const { visualViewport: visible } = window;
  if (!screen || !visible) return;
  const fit = () => {
    // When the page is zoomed in, the visible part is smaller for another reason than the keyboard.
    if (visible.scale > 1.01) return;
    const isCovered = window.innerHeight - visible.height > 1;
    screen.style.setProperty("--visible", isCovered ? `${visible.height}px` : "100dvh");
    if (isCovered) window.scrollTo(0, 0);
  };
  visible.addEventListener("resize", fit);
  return () => visible.removeEventListener("resize", fit);
}
