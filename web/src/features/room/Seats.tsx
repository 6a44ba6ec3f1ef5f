import { ROOM_MEMBERS } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import styles from "./GroupCard.module.css";
import type { RoomItem } from "./myRooms";

/** A group's ten seats, as dots and in words: who is there, who has a seat and is away, and what is free. */
export function Seats({ seats, active }: NonNullable<RoomItem["standing"]>) {
  const stateOf = (at: number) => (at < active ? "here" : at < seats ? "taken" : "free");
  return (
    <span className={styles.seats}>
      <span aria-hidden="true" className={styles.dots}>
        {Array.from({ length: ROOM_MEMBERS }, (_, at) => stateOf(at)).map((state, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place in the row
          <span className={styles.dot} data-state={state} key={at} />
        ))}
      </span>
      {appText.groups.seats(active, seats, ROOM_MEMBERS)}
    </span>
  );
}
