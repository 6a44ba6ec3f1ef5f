import type { ReactNode } from "react";
import type { InboxFeed } from "./InboxFeed";
import { InboxList } from "./InboxList";
import styles from "./InboxPage.module.css";

type Props = { card: ReactNode; feed: InboxFeed; username: string };

/** The Inbox tab: the link that fills it, and what came. */
export function InboxPage({ card, feed, username }: Props) {
  return (
    <div className={styles.page}>
      {card}
      <InboxList feed={feed} username={username} />
    </div>
  );
}
