import type { Notice } from "../chat";
import { changeIn } from "../notices";
import { faceName } from "./face";
import { noticeWords } from "./notice";
import styles from "./Row.module.css";

/** A system line; the face in it is seen as such and heard by its name. */
export function NoticeRow({ notice }: { notice: Notice }) {
  const words = noticeWords(notice.message);
  const change = changeIn(notice.message);
  const face = change && "face" in change && words.startsWith(change.face) ? change.face : undefined;
  return (
    <p className={styles.notice} data-row={notice.key} dir="auto" tabIndex={-1}>
      {face && (
        <span aria-label={faceName(face)} className={styles.face} role="img">
          {face}
        </span>
      )}
      {face ? words.slice(face.length) : words}
    </p>
  );
}
