import { useState } from "react";
import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { showError } from "@/shared/notices";
import { conversationText } from "@/shared/text/conversationText";
import { withoutOverrides } from "@/shared/text/directions";
import { failureText } from "@/shared/text/failureText";
import { noteDate } from "@/shared/text/noteDate";
import { Button } from "@/shared/ui/Button";
import styles from "./ConversationList.module.css";
import { type Conversation, type ConversationsFeed, useConversations } from "./ConversationsFeed";

/** The account's conversations, with what is new in each. Nothing is drawn without any. */
export function ConversationList({ feed }: { feed: ConversationsFeed }) {
  const words = conversationText.mine;
  const { conversations, hasOlder } = useConversations();
  const [busy, setBusy] = useState(false);
  if (conversations.length === 0) return null;

  async function loadOlder() {
    setBusy(true);
    await feed.loadOlder().catch((failure: unknown) => showError(failureText(failure)));
    setBusy(false);
  }

  return (
    <section aria-labelledby="conversations" className={styles.conversations}>
      <div>
        <h2 className={styles.heading} id="conversations">
          {words.heading}
        </h2>
        <p className="soft">{words.lead}</p>
      </div>
      <ul className={styles.list}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <Card {...conversation} />
          </li>
        ))}
      </ul>
      {hasOlder && (
        <Button busy={busy} onClick={() => void loadOlder()} size="s">
          {words.older}
        </Button>
      )}
    </section>
  );
}

function Card({ id, note, last, unread, open }: Conversation) {
  const words = conversationText.mine;
  const about = withoutOverrides(note.message);
  const { date, time, machine } = noteDate(last?.time ?? note.date);
  return (
    <article className={styles.card} data-unread={unread > 0 || undefined}>
      <h3 className={styles.about}>
        <Link aria-label={words.open(about)} className={styles.open} dir="auto" to={conversationPath(id)}>
          {about}
        </Link>
      </h3>
      <p className={styles.last} dir="auto">
        {last ? (
          <>
            {last.from === "owner" && <span className="soft">{words.you} </span>}
            {withoutOverrides(last.message)}
          </>
        ) : (
          <span className="soft">{words.asked}</span>
        )}
      </p>
      <p className={styles.facts}>
        <time className="soft" dateTime={machine}>
          {date}, {time}
        </time>
        {unread > 0 && <span className={`pill ${styles.unread}`}>{words.unread(unread)}</span>}
        {!open && <span className="soft">{words.closed}</span>}
      </p>
    </article>
  );
}
