import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import { Icon } from "@/shared/ui/icons";
import { NEAR_THE_END_MS, useTimeLeft } from "@/shared/ui/useTimeLeft";
import { useChat } from "../chatContext";
import styles from "./Countdown.module.css";

/** How long the group still lasts. */
export function Countdown() {
  const words = chatText.screen.header;
  const left = useTimeLeft(useChat((chat) => chat.room.expiresAt));
  return (
    <p className={styles.ticket} data-soon={left <= NEAR_THE_END_MS || undefined} title={words.ends}>
      <Icon name="clock" size={14} />
      <span>{words.timeLeft(duration(left))}</span>
    </p>
  );
}

/** Said when the end is near, and again when it is nearer: not every second, it is read out. */
const SAID_AT_MINUTES = [1, 5, 10];

export function EndWarning() {
  const left = useTimeLeft(useChat((chat) => chat.room.expiresAt));
  const minutes = SAID_AT_MINUTES.find((at) => left <= at * 60_000);
  return (
    <div role="status">
      {minutes !== undefined && (
        <p className={styles.warning}>{chatText.screen.header.endsSoon(inMinutes(minutes))}</p>
      )}
    </div>
  );
}

/** How long something still lasts: hours and minutes, and towards the end minutes and seconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const minutes = Math.floor(seconds / 60);
  return chatText.screen.header.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}

/** So many minutes, in words. */
function inMinutes(minutes: number): string {
  const format = { style: "unit", unit: "minute", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale(), format).format(minutes);
}
