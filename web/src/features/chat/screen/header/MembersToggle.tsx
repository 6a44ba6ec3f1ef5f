import type { CSSProperties } from "react";
import { chatText } from "@/shared/text/chatText";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { useChat, useRoom } from "../chatContext";
import { useMembers } from "./MembersPanel";
import styles from "./MembersToggle.module.css";

const EMOJIS_SHOWN = 3;

/** The emoji of the connected members, in a heap. The button shows and hides the list of all members. */
export function MembersToggle() {
  const { screen } = useRoom();
  const active = useChat((chat) => chat.active);
  const members = useChat((chat) => chat.members);
  const { isWide, shown } = useMembers();
  return (
    <button
      aria-controls="members"
      aria-expanded={shown}
      aria-label={chatText.screen.header.members(active.length, members.length)}
      className={styles.toggle}
      onClick={() => screen.setState({ [isWide ? "membersBeside" : "membersShown"]: !shown })}
      type="button"
    >
      <span className={styles.heap} style={{ "--seats": members.length } as CSSProperties}>
        {active.slice(0, EMOJIS_SHOWN).map((emoji) => (
          <EmojiDisc className={styles.emoji} emoji={emoji} key={emoji} size="s" />
        ))}
      </span>
      <span aria-hidden="true" className={styles.count}>
        {active.length}
      </span>
    </button>
  );
}
