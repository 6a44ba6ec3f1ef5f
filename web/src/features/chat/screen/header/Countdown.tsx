import { chatText } from "@/shared/text/chatText";
import { NEAR_THE_END_MS, timeLeft } from "@/shared/text/timeLeft";
import { Icon } from "@/shared/ui/icons";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";
import { useChat } from "../chatContext";
import styles from "./Countdown.module.css";

export function Countdown() {
  const left = useTimeLeft(useChat((chat) => chat.room.expiresAt));
  const isSoon = left <= NEAR_THE_END_MS;
  return (
    <p
      className={`${styles.ticket} ${isSoon ? "pill" : ""}`}
      data-soon={isSoon || undefined}
      title={chatText.screen.header.ends}
    >
      <Icon name="clock" size={14} />
      <span className="one-line">{timeLeft(left)}</span>
    </p>
  );
}
