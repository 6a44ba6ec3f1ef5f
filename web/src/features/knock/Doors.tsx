import { useEffect } from "react";
import { knockText } from "@/shared/text/knockText";
import styles from "./Doors.module.css";
import { KnockList } from "./KnockList";
import { type Knock, knocksAt, loadKnocks, useKnocks } from "./knocks";

type Waiting = Knock & { id: string; room: string };

/** Everybody who waits at the groups that ask first. */
export function useDoors(rooms: { id: string; name: string }[]): Waiting[] {
  const ids = rooms.map(({ id }) => id).join();
  const doors = useKnocks();

  useEffect(() => {
    for (const id of ids.split(",").filter(Boolean)) void loadKnocks(id);
  }, [ids]);

  return rooms.flatMap(({ id, name }) => knocksAt(id)(doors).map((knock) => ({ ...knock, id, room: name })));
}

/** Who waits at the account's groups, above their list. */
export function Doors({ waiting }: { waiting: Waiting[] }) {
  return (
    <section aria-labelledby={waiting.length > 0 ? "at-the-door" : undefined} className={styles.doors}>
      {waiting.length > 0 && (
        <h2 className={styles.heading} id="at-the-door">
          {knockText.list.heading}
        </h2>
      )}
      <KnockList waiting={waiting} />
    </section>
  );
}
