import { lazy, Suspense } from "react";
import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { conversationText } from "@/shared/text/conversationText";
import { withoutOverrides } from "@/shared/text/directions";
import styles from "./NoteCard.module.css";
import type { ShownTalk } from "./sealed/opened";

const ClosedWords = lazy(async () => ({ default: (await import("./sealed/ClosedNote")).ClosedWords }));

type Props = ShownTalk & { onOpen: () => void };

/** The newest line of a note's conversation, which leads there; or that there is none yet. */
export function NewestLine({ id, note, last, unread, open, closed, isLineClosed, onOpen }: Props) {
  const words = conversationText.mine;
  const isOwn = last?.from === "owner";
  return (
    <p className={styles.thread} data-unread={unread > 0 || undefined}>
      <Link className={styles.line} onClick={onOpen} to={conversationPath(id)}>
        <span className="visually-hidden">{words.open(withoutOverrides(note.message))}: </span>
        {isOwn && <span className="soft">{words.you} </span>}
        {last && !isLineClosed && <bdi>{withoutOverrides(last.message)}</bdi>}
        {last && isLineClosed && (
          <Suspense>
            <ClosedWords closed={closed} />
          </Suspense>
        )}
        {!last && words.asked}
      </Link>
      {unread > 0 && <span className={`pill ${styles.fresh}`}>{words.unread(unread)}</span>}
      {isOwn && open && <span className={styles.mark}>{words.answered}</span>}
      {!open && <span className={styles.mark}>{words.closed}</span>}
    </p>
  );
}
