import type { Notice } from "../../model/chat";
import { faceName } from "../face";
import { noticeWords } from "../notice";
import styles from "./Row.module.css";

/** A system line, which has the name of its row if it is one; the face in it is seen as such and heard by its name. */
export function NoticeRow({ notice, name }: { notice: Notice; name?: string }) {
  const words = noticeWords(notice);
  const { change } = notice;
  const face = change && "face" in change && words.startsWith(change.face) ? change.face : undefined;
  return (
    <p className={styles.notice} data-row={name} dir="auto" tabIndex={-1}>
      {face && (
        <span aria-label={faceName(face)} className={styles.face} role="img">
          {face}
        </span>
      )}
      {face ? words.slice(face.length) : words}
    </p>
  );
}
