import { chatText } from "@/shared/text/chatText";
import styles from "./ConnectionBanner.module.css";
import { useChat } from "./chatContext";

/** How the connection stands, when it isn't as it should be. */
export function ConnectionBanner() {
  const connection = useChat((chat) => chat.connection);
  return (
    <div role="status">
      {connection !== "live" && (
        <p className={styles.banner} data-connection={connection} key={connection}>
          {chatText.screen.connection[connection]}
        </p>
      )}
    </div>
  );
}
