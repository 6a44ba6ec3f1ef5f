import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Delivery, Message } from "../../model/chat";
import { clockTime } from "../moment";
import styles from "./Bubble.module.css";

/** What stands in a bubble beside the message itself: its time, and how far a message of one's own is. */
export function MessageMarks({ message: { time, mine, retracted, delivery } }: { message: Message }) {
  return (
    <p className={styles.marks}>
      <span>{clockTime(time, Date.now())}</span>
      {mine && !retracted && <DeliveryMark delivery={delivery} />}
    </p>
  );
}

/** "Sent" is not read out, because everybody expects it. */
function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const words = chatText.screen.message;
  const isSent = delivery.state === "sent";
  if (delivery.state === "failed") return null;
  return (
    <span className={styles.mark} title={isSent ? words.sent : words.sending}>
      <Icon name={isSent ? "check" : "clock"} size={14} />
      {!isSent && <span className="visually-hidden">{words.sending}</span>}
    </span>
  );
}
