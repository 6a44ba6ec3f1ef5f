import { type ButtonHTMLAttributes, useEffect, useEffectEvent, useState } from "react";
import { ROOM_MEMBERS } from "@/shared/contract/limits";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { noteDate } from "@/shared/text/noteDate";
import { NEAR_THE_END_MS, timeLeft } from "@/shared/text/timeLeft";
import { Icon, type IconName } from "@/shared/ui/icons";
import { useTimeLeft } from "@/shared/ui/useTimeLeft";
import styles from "./RoomCard.module.css";
import type { RoomItem } from "./RoomsFeed";
import { RoomQrDialog, shareRoom } from "./shareRoom";

type Props = { room: RoomItem; onRemove: () => void; onEnded: () => void };

/** The card of a group of the account. The whole card is a link to the group. */
export function RoomCard({ room, onRemove, onEnded }: Props) {
  const words = appText.rooms;
  const { standing, unread } = room;
  const isSealed = room.sealed !== undefined;
  const name = isSealed ? words.sealed.name : room.name;
  const link = roomLink(room.link);
  const [qr, setQr] = useState(false);
  const { date, time } = noteDate(room.date);
  // The text doesn't wrap: where there is too little room, all of it goes to the next line.
  const when = `${date} ${time}`.replaceAll(" ", "\u00a0");

  return (
    <article className={styles.card}>
      <div className={styles.about}>
        <div className={styles.head}>
          <div className={styles.called}>
            <RoomName link={room.link} name={name} />
            {unread > 0 && <span className={`pill ${styles.unread}`}>{words.unread(unread)}</span>}
          </div>
          <div className={styles.actions}>
            {/* Without the key of a sealed group, its link opens nothing. */}
            {!isSealed && (
              <>
                <Action
                  icon="share"
                  label={words.shareOne(name)}
                  onClick={() => shareRoom(name, link)}
                  word={words.share}
                />
                <Action
                  aria-haspopup="dialog"
                  icon="qr"
                  label={words.qrOne(name)}
                  onClick={() => setQr(true)}
                  word={appText.qr.open}
                />
              </>
            )}
            <Action
              aria-haspopup="dialog"
              icon="trash"
              label={words.removeOne(name)}
              onClick={onRemove}
              word={words.removal.action}
            />
          </div>
        </div>
        <p className={styles.facts}>
          <TimeLeft ends={room.ends} onEnded={onEnded} />
          {standing && <Seats {...standing} />}
        </p>
        {isSealed && <p>{words.sealed.open}</p>}
        <p className={styles.date}>{words.created(when)}</p>
      </div>
      {qr && <RoomQrDialog link={link} name={name} onClose={() => setQr(false)} />}
    </article>
  );
}

type ActionProps = ButtonHTMLAttributes<HTMLButtonElement> & { icon: IconName; label: string; word: string };

/** A button of a card. On a narrow card it has no word. Its label says which group it is about. */
function Action({ icon, label, word, ...attributes }: ActionProps) {
  return (
    <button aria-label={label} className={styles.action} title={label} type="button" {...attributes}>
      <Icon name={icon} />
      <span className={styles.word}>{word}</span>
    </button>
  );
}

/** A card's heading. The link covers all of the card. */
export function RoomName({
  link,
  name,
  level: Heading = "h2",
}: {
  link: string;
  name: string;
  level?: "h2" | "h3";
}) {
  return (
    <Heading className={styles.name}>
      <a
        aria-label={appText.rooms.open(name)}
        className={styles.open}
        dir="auto"
        href={roomLink(link)}
        rel="opener"
        // biome-ignore lint/security/noBlankTarget: our own page, and it begins with this tab's chosen theme
        target="_blank"
      >
        {name}
      </a>
    </Heading>
  );
}

export function TimeLeft({ ends, onEnded }: { ends: number; onEnded: () => void }) {
  const left = useTimeLeft(ends);
  const end = useEffectEvent(onEnded);
  useEffect(() => {
    if (left === 0) end();
  }, [left]);
  const isSoon = left <= NEAR_THE_END_MS;
  return (
    <span className={`${styles.left} ${isSoon ? "pill" : "soft"}`}>
      <Icon name="clock" size={14} />
      {timeLeft(left)}
    </span>
  );
}

/** All seats of a group, as dots and in words: how many members are connected or away, and how many seats are free. */
function Seats({ seats, active }: NonNullable<RoomItem["standing"]>) {
  const stateOf = (at: number) => (at < active ? "here" : at < seats ? "taken" : "free");
  return (
    <span className={styles.seats}>
      <span aria-hidden="true" className={styles.dots}>
        {Array.from({ length: ROOM_MEMBERS }, (_, at) => stateOf(at)).map((state, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place in the row
          <span className={styles.dot} data-state={state} key={at} />
        ))}
      </span>
      {appText.rooms.seats(active, seats, ROOM_MEMBERS)}
    </span>
  );
}
