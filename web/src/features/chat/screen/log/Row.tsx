import { memo, useState } from "react";
import { chatText } from "@/shared/text/chatText";
import { MessageRow } from "../message/MessageRow";
import type { ListRow } from "./listRows";
import { ComingsRow, NoticeRow } from "./Notices";
import styles from "./Row.module.css";

/** By then it is drawn. Whoever scrolls back to it later finds it at rest. */
const ARRIVES_MS = 300;

type Props = {
  row: ListRow;
  /** Of a run of one person's lines. */
  first: boolean;
  last: boolean;
  isNew: boolean;
  /** The day that begins with it, in words. */
  day: string | undefined;
  onQuote: (seq: number) => void;
};

/** A row, drawn again only when it or what it has to do with its neighbours changes. */
export const Row = memo(function Row({ row, first, last, isNew, day, onQuote }: Props) {
  const arrives = useArrives(row);
  return (
    <div className={styles.line} data-arrives={arrives}>
      {day !== undefined && (
        <div className={styles.day}>
          <hr aria-label={day} />
          <span aria-hidden="true">{day}</span>
        </div>
      )}
      {isNew && (
        <p className={styles.new}>
          <span className="pill">{chatText.screen.log.fresh}</span>
        </p>
      )}
      {row.kind === "message" && <MessageRow first={first} last={last} message={row} onQuote={onQuote} />}
      {row.kind === "notice" && <NoticeRow name={row.key} notice={row} />}
      {row.kind === "comings" && <ComingsRow comings={row} />}
    </div>
  );
}, sameRow);

/** How a quote is opened is another function each time, and does the same. */
function sameRow(was: Props, is: Props): boolean {
  return (
    isSame(was.row, is.row) &&
    (["first", "last", "isNew", "day"] as const).every((name) => was[name] === is[name])
  );
}

/** Comings of one name only get more. */
function isSame(was: ListRow, is: ListRow): boolean {
  if (was.kind !== "comings" || is.kind !== "comings") return was === is;
  return was.notices[0] === is.notices[0] && was.notices.length === is.notices.length;
}

/** Whether what is drawn for this row is drawn because it has just come. */
export function useArrives({ arrived = 0 }: ListRow): true | undefined {
  const [arrives] = useState(() => Date.now() - arrived < ARRIVES_MS);
  return arrives || undefined;
}
