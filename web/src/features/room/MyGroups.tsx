import { useState } from "react";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { useSignInAgain } from "@/shared/session/useSignInAgain";
import { appText } from "@/shared/text/appText";
import { unansweredText } from "@/shared/text/failureText";
import { text } from "@/shared/text/text";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import { GroupCard } from "./GroupCard";
import { JoinedGroups } from "./JoinedGroups";
import styles from "./MyGroups.module.css";
import { type RoomItem, removeRoom, useMyRooms } from "./useMyRooms";

type Props = {
  username: string;
  /** Takes what the device keeps of a group off it. */
  onRemoved: (id: string) => Promise<void>;
};

export function MyGroups({ username, onRemoved }: Props) {
  const words = appText.groups;
  const signInAgain = useSignInAgain();
  const { rooms, retry, drop } = useMyRooms(username, signInAgain);
  const known = Array.isArray(rooms) ? rooms : undefined;
  const [doomed, setDoomed] = useState<RoomItem>();

  async function remove({ id }: RoomItem) {
    await removeRoom(id);
    drop(id);
    tell(words.removal.done);
    // What stays now is found by the landing page.
    void onRemoved(id).catch(() => {});
  }

  return (
    <section aria-labelledby="my-groups" className="stack">
      <div className="bar">
        <h1 className={styles.heading} id="my-groups">
          {words.heading}
        </h1>
        {known && known.length > 0 && <ButtonLink to={paths.roomNew}>{words.create}</ButtonLink>}
      </div>
      {rooms === undefined && <Skeleton label={words.loading} row="s" />}
      {rooms === "offline" && (
        <div className={styles.note} role="status">
          <p>{unansweredText()}</p>
          <Button onClick={retry} size="s">
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
              <GroupCard onEnded={() => drop(room.id)} onRemove={() => setDoomed(room)} room={room} />
            </li>
          ))}
        </ul>
      )}
      {rooms !== undefined && <JoinedGroups onForget={onRemoved} without={known} />}
      {doomed && (
        <ConfirmDialog
          {...words.removal}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => remove(doomed)}
          onSignedOut={signInAgain}
        />
      )}
    </section>
  );
}
