import { useEffect, useState } from "react";
import { api } from "@/shared/api/api";
import { ApiFailure, isSignedOut } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { signInAgain } from "@/shared/session/signInAgain";
import { appText } from "@/shared/text/appText";
import { unansweredText } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ButtonLink } from "@/shared/ui/links";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import { JoinedRooms } from "./JoinedRooms";
import styles from "./MyRooms.module.css";
import { RoomCard } from "./RoomCard";
import { type RoomItem, type RoomsFeed, useRooms } from "./RoomsFeed";

type Props = {
  feed: RoomsFeed;
  /** Removes what the device keeps of a group. */
  onForget: (id: string) => Promise<void>;
};

export function MyRooms({ feed, onForget }: Props) {
  const words = appText.rooms;
  const rooms = useRooms((shown) => shown.rooms);

  useEffect(() => {
    feed.load().catch(signInAgain);
    const look = () => {
      if (document.visibilityState !== "visible") return;
      // After an error of the server the groups that are shown stay.
      feed.load().catch((failure: unknown) => isSignedOut(failure) && signInAgain(failure));
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [feed]);

  const known = Array.isArray(rooms) ? rooms : undefined;
  const [doomed, setDoomed] = useState<RoomItem>();

  async function remove({ id }: RoomItem) {
    await removeRoom(id);
    await feed.drop(id);
    showNotice(words.removal.done);
  }

  return (
    <section aria-labelledby="my-rooms" className="stack">
      <div className="bar">
        <h1 className={styles.heading} id="my-rooms">
          {words.heading}
        </h1>
        {known && known.length > 0 && <ButtonLink to={paths.roomNew}>{words.create}</ButtonLink>}
      </div>
      {rooms === undefined && <Skeleton label={words.loading} row="s" />}
      {rooms === "offline" && (
        <div className={styles.note} role="status">
          <p>{unansweredText()}</p>
          <Button onClick={() => void feed.load().catch(signInAgain)} size="s">
            {text.actions.retry}
          </Button>
        </div>
      )}
      {known?.length === 0 && (
        <div className={styles.empty}>
          <EmojiDisc emoji="🪑" size="l" />
          <p>{words.empty}</p>
          <ButtonLink kind="hot" to={paths.roomNew}>
            {words.create}
          </ButtonLink>
        </div>
      )}
      {known && known.length > 0 && (
        <ul className="stack">
          {known.map((room) => (
            <li key={room.id}>
              <RoomCard
                onEnded={() => void feed.drop(room.id)}
                onRemove={() => setDoomed(room)}
                room={room}
              />
            </li>
          ))}
        </ul>
      )}
      {rooms !== undefined && <JoinedRooms onForget={onForget} without={known} />}
      {doomed && (
        <ConfirmDialog
          {...words.removal}
          title={words.removal.title(doomed.name)}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => remove(doomed)}
          onSignedOut={signInAgain}
        />
      )}
    </section>
  );
}

/** A group that has ended in the meantime, or was deleted elsewhere, counts as removed. */
async function removeRoom(id: string) {
  try {
    await api("delete", "/api/room/{id}", { params: { id }, token: token() ?? "" });
  } catch (failure) {
    if (!(failure instanceof ApiFailure && failure.status === 404)) throw failure;
  }
}
