import { lazy, Suspense, useState } from "react";
import { Link } from "react-router-dom";
import { conversationPath } from "@/shared/links";
import { showError } from "@/shared/notices";
import { ago } from "@/shared/text/ago";
import { conversationText } from "@/shared/text/conversationText";
import { withoutOverrides } from "@/shared/text/directions";
import { failureText } from "@/shared/text/failureText";
import { noteDate } from "@/shared/text/noteDate";
import { Button } from "@/shared/ui/Button";
import styles from "./ConversationList.module.css";
import { type ConversationsFeed, useConversations } from "./ConversationsFeed";
import { matches } from "./InboxFilter";
import { type ShownTalk, useShownTalks } from "./sealed/opened";

const ClosedWords = lazy(async () => ({ default: (await import("./sealed/ClosedNote")).ClosedWords }));

type Props = {
  feed: ConversationsFeed;
  /** By this device's clock, in milliseconds. */
  now: number;
  /** What is searched for. */
  wanted: string;
};

/** The account's conversations, the newest first, with what is new in each. */
export function ConversationList({ feed, now, wanted }: Props) {
  const words = conversationText.mine;
  const { hasOlder } = useConversations();
  const [busy, setBusy] = useState(false);
  const found = useShownTalks().filter(({ note, last }) =>
    matches(`${note.message}\n${last?.message}`, wanted),
  );

  async function loadOlder() {
    setBusy(true);
    await feed.loadOlder().catch((failure: unknown) => showError(failureText(failure)));
    setBusy(false);
  }

  return (
    <section aria-label={words.heading} className={styles.conversations}>
      <p className="soft">{words.lead}</p>
      <ul className={styles.list}>
        {found.map((conversation) => (
          <li key={conversation.id}>
            <Card {...conversation} now={now} />
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

function Card({ id, note, last, unread, open, closed, isLineClosed, now }: ShownTalk & { now: number }) {
  const words = conversationText.mine;
  const about = withoutOverrides(note.message);
  const { date, time, machine } = noteDate(last?.time ?? note.date);
  return (
    <article className={styles.card} data-unread={unread > 0 || undefined}>
      <h2 className={styles.about}>
        <Link
          aria-label={closed ? undefined : words.open(about)}
          className={styles.open}
          dir="auto"
          to={conversationPath(id)}
        >
          {closed ? (
            <Suspense fallback="…">
              <ClosedWords closed={closed} />
            </Suspense>
          ) : (
            about
          )}
        </Link>
      </h2>
      <p className={styles.last} dir="auto">
        {last ? (
          <>
            {last.from === "owner" && <span className="soft">{words.you} </span>}
            {isLineClosed && !closed ? (
              <Suspense fallback="…">
                <ClosedWords />
              </Suspense>
            ) : (
              withoutOverrides(last.message)
            )}
          </>
        ) : (
          <span className="soft">{words.asked}</span>
        )}
      </p>
      <p className={styles.facts}>
        <time className="soft" dateTime={machine} title={`${date}, ${time}`}>
          {ago(machine, now)}
        </time>
        {unread > 0 && <span className={`pill ${styles.unread}`}>{words.unread(unread)}</span>}
        {!open && <span className="soft">{words.closed}</span>}
      </p>
    </article>
  );
}
