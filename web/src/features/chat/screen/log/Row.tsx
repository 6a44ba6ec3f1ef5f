import { memo, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { MessageRow } from "../message/MessageRow";
import type { ListRow } from "./listRows";
import { ComingsRow, NoticeRow } from "./Notices";
import styles from "./Row.module.css";

/** After this long a new line is no longer animated, when somebody scrolls back to it. */
const ARRIVES_MS = 300;

type Props = {
  row: ListRow;
  /** Of a run of one person's lines. */
  first: boolean;
  last: boolean;
  isNew: boolean;
  day: string | undefined;
};

/** A row, drawn again only when it or what it has to do with its neighbours changes. */
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
      {row.kind === "notice" && <NoticeRow name={row.key} notice={row} />}
      {row.kind === "comings" && <ComingsRow comings={row} />}
    </div>
  );
});

/** Whether what is drawn for this row is drawn because it has just come. */
export function useArrives({ arrived = 0 }: ListRow): true | undefined {
  const [arrives] = useState(() => Date.now() - arrived < ARRIVES_MS);
  return arrives || undefined;
}
