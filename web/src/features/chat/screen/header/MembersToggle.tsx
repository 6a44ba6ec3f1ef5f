import type { CSSProperties } from "react";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { isConnected } from "../../model/chat";
import { useChat, useRoom } from "../chatContext";
import { useMembers } from "./MembersPanel";
import styles from "./MembersToggle.module.css";

const EMOJIS_SHOWN = 3;

/**
 * The emoji of the connected members, in a heap; without a connection, those who were there last. The button shows and hides the list of
 * all members.
 */
export function MembersToggle() {
  const words = chatText.screen.header;
  const { screen } = useRoom();
  const active = useChat((chat) => chat.active);
  const members = useChat((chat) => chat.members);
  const isKnown = useChat(isConnected);
  const { isWide, shown } = useMembers();
  const label = isKnown ? words.members(active.length, members.length) : words.seated(members.length);
  return (
    <button
      aria-controls="members"
      aria-expanded={shown}
      aria-label={label}
      className={styles.toggle}
      data-unknown={!isKnown || undefined}
      onClick={() => screen.setState({ [isWide ? "membersBeside" : "membersShown"]: !shown })}
      title={label}
      type="button"
    >
      <span className={styles.heap} style={{ "--seats": members.length } as CSSProperties}>
        {active.slice(0, EMOJIS_SHOWN).map((emoji) => (
          <EmojiDisc className={styles.emoji} emoji={emoji} key={emoji} size="s" />
        ))}
      </span>
      <span aria-hidden="true" className={styles.count}>
        {isKnown ? active.length : "–"}
      </span>
    </button>
  );
}
