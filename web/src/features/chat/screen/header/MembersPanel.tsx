import { useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { ROOM_MEMBERS } from "@/shared/contract/limits";
import { useOverlay } from "@/shared/overlays";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { IconButton } from "@/shared/ui/IconButton";
import { Icon } from "@/shared/ui/icons";
import { type Emoji, isConnected } from "../../model/chat";
import { useChat, useRoom, useScreen } from "../chatContext";
import { memberName } from "../named";
import styles from "./MembersPanel.module.css";

/** The same width as in the styles: from here on the list of members is beside the log. */
const WIDE = "(min-width: 68.75rem)";

const TOGGLE = "[aria-controls=members]";

/** Whether the window has space for the list of members beside the log, and whether the list is shown. */
export function useMembers() {
  const isWide = useSyncExternalStore(listen, () => matchMedia(WIDE).matches);
  const shown = useScreen((state) => (isWide ? state.membersBeside : state.membersShown));
  return { isWide, shown };
}

/** The list of members: beside the log if there is space; otherwise over the log, when it is opened. */
export function MembersPanel() {
  const { screen } = useRoom();
  const { isWide, shown } = useMembers();
  const words = chatText.screen.members;
  const members = useChat((chat) => chat.members);
  const active = useChat((chat) => chat.active);
  const isKnown = useChat(isConnected);
  const here = members.filter((emoji) => active.includes(emoji));
  const away = members.filter((emoji) => !active.includes(emoji));
  const presence = (emoji: Emoji) => (active.includes(emoji) ? "here" : "away");
  const free = Array.from({ length: Math.max(0, ROOM_MEMBERS - members.length) }, (_, at) => at);
  // Once drawn over the log, the list stays in the page, so that it can also slide away.
  const [isDrawn, setDrawn] = useState(false);
  if (shown && !isDrawn) setDrawn(true);

  const hadFocus = useRef(false);

  // When the window crosses that width, the list over the log is closed. What had the focus may be gone.
  useLayoutEffect(() => {
    screen.setState({ membersShown: false });
    if (screen.getState().open?.is === "seatMenu") screen.setState({ open: undefined });
    const list = isWide ? document.querySelector<HTMLElement>("#members") : null;
    if (hadFocus.current) (list ?? document.querySelector<HTMLElement>(TOGGLE))?.focus();
  }, [isWide, screen]);

  function close() {
    // The focus returns to the button only if the list had it. A reader who is writing keeps it.
    if (hadFocus.current) document.querySelector<HTMLElement>(TOGGLE)?.focus();
    screen.setState({ membersShown: false });
  }

  if (!isDrawn || (isWide && !shown)) return null;
  return (
    <section
      aria-labelledby="members-title"
      className={styles.panel}
      data-beside={isWide || undefined}
      data-shown={shown || undefined}
      id="members"
      onBlur={({ relatedTarget }) => {
        // Without a related target the focused element was removed, and the focus still belongs to the list.
        if (relatedTarget) hadFocus.current = false;
      }}
      onFocus={() => {
        hadFocus.current = true;
      }}
      tabIndex={-1}
    >
      {shown && !isWide && <Closable onClose={close} />}
      <div className={styles.head}>
        <h2 className={styles.title} id="members-title">
          {words.title}
        </h2>
        <p className={styles.count}>{words.count(members.length, ROOM_MEMBERS)}</p>
        <IconButton icon="close" label={words.close} onClick={close} />
      </div>
      <ul className={styles.seats}>
        {[...here, ...away].map((emoji) => (
          <Seat emoji={emoji} key={emoji} presence={isKnown ? presence(emoji) : undefined} />
        ))}
        {free.map((at) => (
          <li aria-hidden="true" className={styles.free} key={at} />
        ))}
      </ul>
    </section>
  );
}

/** A taken seat. If its menu has entries, all of the seat opens the menu. Without a connection nobody knows who is here. */
function Seat({ emoji, presence }: { emoji: Emoji; presence: "here" | "away" | undefined }) {
  const words = chatText.screen;
  const { screen } = useRoom();
  const isMine = useChat((chat) => chat.me === emoji);
  const amCreator = useChat((chat) => chat.amCreator);
  const name = memberName(emoji);
  const disc = <EmojiDisc className={styles.emoji} emoji={emoji} />;
  return (
    <li className={styles.seat} data-presence={presence}>
      {amCreator && !isMine ? (
        <button
          aria-haspopup="menu"
          aria-label={words.members.menu(name)}
          className={styles.more}
          onClick={({ currentTarget: from }) => screen.setState({ open: { is: "seatMenu", emoji, from } })}
          title={words.members.menu(name)}
          type="button"
        >
          {disc}
          <Icon name="more" size={14} />
        </button>
      ) : (
        disc
      )}
      <span className={styles.name}>
        {name}
        {isMine && ` (${words.you})`}
        {isMine && amCreator && <Creator />}
      </span>
      <span className={styles.state}>{presence && words.members[presence]}</span>
    </li>
  );
}

/** Only the creator sees which seat is the creator's. */
function Creator() {
  const words = chatText.screen.members.creator;
  return (
    <span aria-label={words} className={styles.creator} role="img" title={words}>
      👑
    </span>
  );
}

function Closable({ onClose }: { onClose: () => void }) {
  useOverlay(onClose);
  return null;
}

function listen(onChange: () => void) {
  const wide = matchMedia(WIDE);
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}
