import { useState } from "react";
import { roomLink } from "@/shared/links";
import { appText } from "@/shared/text/appText";
import { noteDate } from "@/shared/text/noteDate";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./MyGroups.module.css";
import type { RoomItem } from "./myRooms";
import { RoomQrDialog } from "./RoomQrDialog";
import { shareRoom } from "./shareRoom";

type Props = { room: RoomItem; onRemove: () => void };

/** A group of one's own. The whole card leads to it. */
export function GroupCard({ room, onRemove }: Props) {
  const words = appText.groups;
  const link = roomLink(room.id);
  const [qr, setQr] = useState(false);
  const { date, time } = noteDate(room.date);

  return (
    <article className={styles.card}>
      <div className={styles.about}>
        <h2 className={styles.name}>
          <a
            aria-label={words.open(room.name)}
            className={styles.open}
            dir="auto"
            href={link}
            rel="opener"
            // biome-ignore lint/security/noBlankTarget: our own page, and it begins with this tab's chosen theme
            target="_blank"
          >
            {room.name}
          </a>
        </h2>
        <p className={styles.date}>{words.created(together(date, time))}</p>
      </div>
      <div className={styles.actions}>
        <IconButton
          icon="share"
          label={words.shareOne(room.name)}
          onClick={() => shareRoom(room.name, link)}
        />
        <IconButton
          aria-haspopup="dialog"
          icon="qr"
          label={words.qrOne(room.name)}
          onClick={() => setQr(true)}
        />
        <IconButton icon="trash" label={words.removeOne(room.name)} onClick={onRemove} />
      </div>
      {qr && <RoomQrDialog link={link} name={room.name} onClose={() => setQr(false)} />}
    </article>
  );
}

/** On one line: where there is too little room, all of it goes to the next. */
function together(date: string, time: string): string {
  return `${date} ${time}`.replaceAll(" ", "\u00a0");
}
