import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Delivery } from "../../model/chat";
import styles from "./Bubble.module.css";

/** What became of one's own message. That it arrived is seen and not read out: it is what one expects. */
export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const words = chatText.screen.message;
  if (delivery.state === "sent") {
    return (
      <span className={styles.mark} title={words.sent}>
        <Icon name="check" size={14} />
      </span>
    );
  }
  if (delivery.state === "failed") return null;
  return (
    <span className={styles.mark} title={words.sending}>
      <Icon name="clock" size={14} />
      <span className="visually-hidden">{words.sending}</span>
    </span>
  );
}
