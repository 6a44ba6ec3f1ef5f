import { memo } from "react";
import { chatText } from "@/shared/text/chatText";
import type { Line } from "../chat";
import { MessageRow } from "./MessageRow";
import { NoticeRow } from "./NoticeRow";
import styles from "./Row.module.css";
import { together } from "./together";

type Props = {
  line: Line;
  before: Line | undefined;
  after: Line | undefined;
  isNew: boolean;
  onQuote: (seq: number) => void;
};

/** A line, drawn again only when it or what it has to do with its neighbours changes. */
export const Row = memo(function Row({ line, before, after, isNew, onQuote }: Props) {
  return (
    <div className={styles.line}>
      {isNew && (
        <p className={styles.new}>
          <span>{chatText.screen.log.fresh}</span>
        </p>
      )}
      {line.kind === "notice" ? (
        <NoticeRow notice={line} />
      ) : (
        <MessageRow
          first={isNew || !together(before, line)}
          last={!together(line, after)}
          message={line}
          onQuote={onQuote}
        />
      )}
    </div>
  );
}, sameRow);

function sameRow(was: Props, is: Props): boolean {
  return (
    was.line === is.line &&
    was.isNew === is.isNew &&
    together(was.before, was.line) === together(is.before, is.line) &&
    together(was.line, was.after) === together(is.line, is.after)
  );
}
