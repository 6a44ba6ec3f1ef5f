import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { conversationText } from "@/shared/text/conversationText";
import { withoutOverrides } from "@/shared/text/directions";
import type { Conversation } from "./ConversationsFeed";
import styles from "./NoteCard.module.css";

/** The newest line of a note's conversation, which leads there; or that there is none yet. */
export function NewestLine({ id, note, last, unread, open, onOpen }: Conversation & { onOpen: () => void }) {
  const words = conversationText.mine;
  const isOwn = last?.from === "owner";
  return (
    <p className={styles.thread} data-unread={unread > 0 || undefined}>
      <Link className={styles.line} onClick={onOpen} to={conversationPath(id)}>
        <span className="visually-hidden">{words.open(withoutOverrides(note.message))}: </span>
        {isOwn && <span className="soft">{words.you} </span>}
        {last ? <bdi>{withoutOverrides(last.message)}</bdi> : words.asked}
      </Link>
      {unread > 0 && <span className={`pill ${styles.fresh}`}>{words.unread(unread)}</span>}
      {isOwn && open && <span className={styles.mark}>{words.answered}</span>}
      {!open && <span className={styles.mark}>{words.closed}</span>}
    </p>
  );
}
