import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Delivery, Message } from "../../model/chat";
import { useChat } from "../chatContext";
import { clockTime } from "../moment";
import styles from "./Bubble.module.css";

const ICONS = { sending: "clock", sent: "check", seen: "eye" } as const;

/** What stands in a bubble beside the message itself: its time, and how far a message of one's own is. */
export function MessageMarks({ message }: { message: Message }) {
  const { time, seq = 0, mine, retracted, delivery } = message;
  const isSeen = useChat(({ pair }) => pair !== undefined && seq > 0 && seq <= pair.seen);
  return (
    <p className={styles.marks}>
      <span>{clockTime(time, Date.now())}</span>
      {mine && !retracted && <DeliveryMark delivery={delivery} isSeen={isSeen} />}
    </p>
  );
}

/** "Sent" is not read out, because everybody expects it. Only a conversation says that a line was seen. */
function DeliveryMark({ delivery, isSeen }: { delivery: Delivery; isSeen: boolean }) {
  const words = chatText.screen.message;
  if (delivery.state === "failed") return null;
  const state = delivery.state !== "sent" ? "sending" : isSeen ? "seen" : "sent";
  return (
    <span className={styles.mark} title={words[state]}>
      <Icon name={ICONS[state]} size={14} />
      {state !== "sent" && <span className="visually-hidden">{words[state]}</span>}
    </span>
  );
}
