import { useEffect, useState } from "react";
import { type KeptRoom, keptRooms } from "@/shared/keptRooms";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { RoomName, TimeLeft } from "./RoomCard";
import styles from "./RoomCard.module.css";

type Props = {
  /** Groups that are listed elsewhere on the page. */
  without?: readonly { id: string }[] | undefined;
  /** Removes everything that the device keeps of a room. */
  onForget: (id: string) => Promise<void>;
  /** When it is done, fewer groups may be left. */
  pruned?: Promise<void>;
};

/** The groups in which this device has a seat, from what is kept on it. The server is never asked. */
export function JoinedRooms({ without = [], onForget, pruned }: Props) {
  const words = appText.rooms.joined;
  const [rooms, setRooms] = useState(keptRooms);
  const [doomed, setDoomed] = useState<KeptRoom>();
  const forget = (id: string) =>
    onForget(id)
      .catch(() => {})
      .then(() => setRooms(keptRooms()));

  useEffect(() => {
    const look = () => setRooms(keptRooms());
    void pruned?.then(look);
    document.addEventListener("visibilitychange", look);
    window.addEventListener("storage", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("storage", look);
    };
  }, [pruned]);

  // A group that is no longer listed there may have ended, and be forgotten.
  const others = without.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at anew for each list
  useEffect(() => setRooms(keptRooms()), [others]);

  const called = ({ sealed, ...room }: KeptRoom) =>
    sealed ? { ...room, name: appText.rooms.sealed.name } : room;
  const shown = rooms.filter(({ id }) => !without.some((other) => other.id === id)).map(called);
  if (shown.length === 0) return null;

  return (
    <section aria-labelledby="joined-rooms" className={styles.joined}>
      <div>
        <h2 className={styles.heading} id="joined-rooms">
          {words.heading}
        </h2>
        <p className="soft">{words.lead}</p>
      </div>
      <ul className={styles.row}>
        {shown.map((room) => (
          <li key={room.id}>
            <article className={styles.card} data-small>
              <EmojiDisc emoji={room.emoji} size="s" />
              <div className={styles.about}>
                <RoomName level="h3" link={room.link} name={room.name} />
                <p className={styles.facts}>
                  <TimeLeft ends={room.ends} onEnded={() => void forget(room.id)} />
                </p>
              </div>
              <div className={styles.actions}>
                <Button
                  aria-label={words.forgetOne(room.name)}
                  onClick={() => setDoomed(room)}
                  size="s"
                  title={words.forgetOne(room.name)}
                >
                  {words.forget}
                </Button>
              </div>
            </article>
          </li>
        ))}
      </ul>
      {doomed && (
        <ConfirmDialog
          action={words.forget}
          body={words.forgetBody}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => forget(doomed.id)}
          title={words.forgetTitle(doomed.name)}
        />
      )}
    </section>
  );
}
