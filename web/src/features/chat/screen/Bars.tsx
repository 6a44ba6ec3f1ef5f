import { useState } from "react";
import { copyAndTell } from "@/shared/clipboard";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import { clock } from "@/shared/text/timeLeft";
import { IconButton } from "@/shared/ui/IconButton";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";
import { seatHeaders } from "../connection/ask";
import styles from "./Bars.module.css";
import { useChat } from "./chatContext";

/** A screen reader says the warning at these times. */
const SAID_AT_MINUTES = [1, 2, 3, 4, 5, 10];
/** When less than this is left, the warning has the seconds. */
const COUNTED_MS = 5 * 60_000;

export function Bars() {
  return (
    <>
      <ConnectionBanner />
      <CarriedSeat />
      <EndWarning />
    </>
  );
}

function ConnectionBanner() {
  const connection = useChat((chat) => chat.connection);
  return (
    <div role="status">
      {connection !== "live" && (
        <p className={styles.bar} data-connection={connection} key={connection}>
          {connection === "paused"
            ? document.documentElement.dataset.paused
            : chatText.screen.connection[connection]}
        </p>
      )}
    </div>
  );
}

/** Explains what it means that the page carries the seat, until it is closed. */
function CarriedSeat() {
  const words = chatText.screen.carried;
  const { link, key } = useChat((chat) => chat.room);
  const [isShown, setShown] = useState(() => Object.keys(seatHeaders()).length > 0);
  if (!isShown) return null;
  return (
    <div className={styles.seat}>
      <p className={styles.words}>
        <span className={styles.why}>{words.why}</span> {words.meaning}{" "}
        <button
          className={styles.copy}
          onClick={() => void copyAndTell(roomLink(link, key), appText.rooms.copied)}
          type="button"
        >
          {words.copy}
        </button>
      </p>
      <IconButton icon="close" label={words.close} onClick={() => setShown(false)} />
    </div>
  );
}

/** Only what is read out is a status: the seconds would be read out one by one. */
function EndWarning() {
  const words = chatText.screen.header;
  const left = useTimeLeft(useChat((chat) => chat.room.expiresAt));
  const minutes = SAID_AT_MINUTES.find((at) => left <= at * 60_000);
  const format = { style: "unit", unit: "minute", unitDisplay: "long" } as const;
  const said = minutes && words.endsSoon(new Intl.NumberFormat(locale(), format).format(minutes));
  return (
    <>
      <div className="visually-hidden" role="status">
        {said}
      </div>
      {said && (
        <p aria-hidden="true" className={styles.bar}>
          {left < COUNTED_MS ? words.endsIn(clock(left)) : said}
        </p>
      )}
    </>
  );
}
