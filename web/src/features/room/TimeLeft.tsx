import { appText } from "@/shared/text/appText";
import { Icon } from "@/shared/ui/icons";
import { NEAR_THE_END_MS, useTimeLeft } from "@/shared/ui/useTimeLeft";
import styles from "./GroupCard.module.css";

const MINUTE_MS = 60_000;

/** How long a group still lasts, in hours and minutes. */
export function TimeLeft({ ends }: { ends: number }) {
  const left = useTimeLeft(ends);
  const isSoon = left <= NEAR_THE_END_MS;
  const minutes = Math.ceil(left / MINUTE_MS);
  return (
    <span className={`${styles.left} ${isSoon ? "pill" : ""}`} data-soon={isSoon || undefined}>
      <Icon name="clock" size={14} />
      {appText.groups.left(Math.floor(minutes / 60), minutes % 60)}
    </span>
  );
}
