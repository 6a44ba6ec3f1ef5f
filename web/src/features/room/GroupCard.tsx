import { copyAndTell } from "@/shared/copyAndTell";
import { appText } from "@/shared/text/appText";
import { noteDate } from "@/shared/text/noteDate";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./MyGroups.module.css";
import { type RoomItem, roomLink } from "./myRooms";

type Props = { room: RoomItem; onRemove: () => void };

/** A group of one's own. The whole card leads to it. */
export function GroupCard({ room, onRemove }: Props) {
  const words = appText.groups;
  const link = roomLink(room.id);
  const { date, time } = noteDate(room.date);

  async function share() {
    if (typeof navigator.share !== "function") return copyAndTell(link, words.copied);
    return navigator.share({ title: room.name, url: link }).catch(() => {});
  }

  return (
    <article className={styles.card}>
      <div className={styles.about}>
        <h2 className={styles.name}>
          <a
            aria-label={words.open(room.name)}
            className={styles.open}
            href={link}
            rel="noopener"
            target="_blank"
          >
            {room.name}
          </a>
        </h2>
        <p className={styles.date}>{words.created(`${date} ${time}`)}</p>
      </div>
      <div className={styles.actions}>
        <IconButton icon="share" label={words.share} onClick={share} />
        <IconButton icon="trash" label={words.remove} onClick={onRemove} />
      </div>
    </article>
  );
}
