import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import { NEAR_THE_END_MS, useTimeLeft } from "@/shared/ui/useTimeLeft";
import { useChat } from "../chatContext";
import styles from "./Countdown.module.css";

export function Countdown() {
  const words = chatText.screen.header;
  const left = useTimeLeft(useChat((chat) => chat.room.expiresAt));
  const isSoon = left <= NEAR_THE_END_MS;
  return (
    <p
      className={`${styles.ticket} ${isSoon ? "pill" : ""}`}
      data-soon={isSoon || undefined}
      title={words.ends}
    >
      <Icon name="clock" size={14} />
      <span className="one-line">{words.timeLeft(duration(left))}</span>
    </p>
  );
}

/** The time that is left: hours and minutes, for the last ten minutes minutes and seconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  // Rounded up, as on the group’s card.
  const minutes = Math.ceil(seconds / 60);
  return chatText.screen.header.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}
