import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import { useChat, useScreen } from "../chatContext";
import styles from "./ScrollToEnd.module.css";

export function ScrollToEnd({ onClick }: { onClick: () => void }) {
  const words = chatText.screen.log;
  const far = useScreen((screen) => screen.farFromEnd);
  const unread = useChat((chat) => chat.unread);
  const mentioned = useChat((chat) => chat.mentioned);
  if (!far) return null;
  const fresh = mentioned ? words.toEndMentioned(unread) : words.toEndNew(unread);
  const label = unread > 0 ? fresh : words.toEnd;
  return (
    <button aria-label={label} className={styles.button} onClick={onClick} title={label} type="button">
      <Icon name="down" size={24} />
      {unread > 0 && (
        <span aria-hidden="true" className={`pill ${styles.count}`}>
          {mentioned && "@"}
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </button>
  );
}
