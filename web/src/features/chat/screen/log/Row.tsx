import { memo, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { GalleryRow } from "../message/GalleryRow";
import { MessageRow } from "../message/MessageRow";
import type { ListRow } from "./listRows";
import { ComingsRow, NoticeRow } from "./Notices";
import styles from "./Row.module.css";

/** A line that came longer ago is not animated, for example when one scrolls back to it. */
const ARRIVES_MS = 300;

type Props = {
  row: ListRow;
  /** Whether it is the first, or the last, of a run of one sender's lines. */
  first: boolean;
  last: boolean;
  isNew: boolean;
  day: string | undefined;
};

/** A row. It is drawn again only if its own properties change. */
export const Row = memo(function Row({ row, first, last, isNew, day }: Props) {
  const arrives = useArrives(row);
  return (
    <div className={styles.line} data-arrives={arrives}>
      {day !== undefined && (
        <div className={styles.day}>
          <hr aria-label={day} className="visually-hidden" />
          <span aria-hidden="true">{day}</span>
        </div>
      )}
      {isNew && (
        <p className={styles.new}>
          <span className="pill">{chatText.screen.log.fresh}</span>
        </p>
      )}
      {row.kind === "message" && <MessageRow first={first} last={last} message={row} />}
      {row.kind === "gallery" && <GalleryRow gallery={row} first={first} last={last} />}
      {row.kind === "notice" && <NoticeRow name={row.key} notice={row} />}
      {row.kind === "comings" && <ComingsRow comings={row} />}
    </div>
  );
});

/** True if this row is drawn for the first time because its line has just come. */
export function useArrives({ arrived = 0 }: ListRow): true | undefined {
  const [arrives] = useState(() => Date.now() - arrived < ARRIVES_MS);
  return arrives || undefined;
}
