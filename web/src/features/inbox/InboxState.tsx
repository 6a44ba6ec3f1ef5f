import { appText } from "@/shared/text/appText";
import { unansweredText } from "@/shared/text/failureText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import styles from "./InboxList.module.css";
import type { Inbox } from "./inboxStore";

type Props = { inbox: Inbox; onRetry: () => void };

/** How the list stands: offline, or as it should be, which needs no words. */
export function InboxState({ inbox, onRetry }: Props) {
  const words = appText.inbox;
  const mayBeOld = navigator.onLine ? words.noAnswer : words.offline;
  return (
    <div className={styles.status} role="status">
      {inbox.status === "offline" && (
        <div className={styles.state}>
          <p>{inbox.notes.length > 0 ? mayBeOld : unansweredText()}</p>
          <Button onClick={onRetry} size="s">
            {words.retry}
          </Button>
        </div>
      )}
    </div>
  );
}

export function EmptyInbox({ inBatches }: { inBatches: boolean }) {
  const words = appText.inbox;
  return (
    <div className={styles.empty}>
      <EmojiDisc emoji="🦉" size="l" />
      <p>{words.emptyHeading}</p>
      <p>{inBatches ? words.emptyInBatches : words.empty}</p>
    </div>
  );
}
