import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Face, Notice } from "../../model/chat";
import { useRoom, useScreen } from "../chatContext";
import { faceName, listed, noticeWords } from "../named";
import type { Comings } from "./listRows";
import styles from "./Row.module.css";

/** Of more names than this only the first ones are said. */
const NAMED = 3;

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

/** Who came and went, in one line; a tap shows each. */
export function ComingsRow({ comings: { key, notices } }: { comings: Comings }) {
  const { screen } = useRoom();
  const isOpen = useScreen(({ unfolded }) => unfolded.includes(key));
  const faces = [...facesOf(notices, "joined"), ...facesOf(notices, "left")];

  function toggle() {
    const { unfolded } = screen.getState();
    screen.setState({ unfolded: isOpen ? unfolded.filter((one) => one !== key) : [...unfolded, key] });
  }

  return (
    <div data-row={key} tabIndex={-1}>
      <button
        aria-expanded={isOpen}
        className={`${styles.notice} ${styles.comings}`}
        onClick={toggle}
        type="button"
      >
        <span aria-hidden="true" className={styles.face}>
          {faces.slice(0, NAMED).join("")}
        </span>
        <span className="one-line">{comingsWords(notices)}</span>
        <Icon name="down" size={14} />
      </button>
      {isOpen && notices.map((notice) => <NoticeRow key={notice.key} notice={notice} />)}
    </div>
  );
}

/** "Fox, Dog and 8 others joined, Owl left" */
export function comingsWords(notices: readonly Notice[]): string {
  const words = chatText.screen.notices;
  const [joined, left] = [facesOf(notices, "joined"), facesOf(notices, "left")];
  return [
    joined.length > 0 && (joined.length === 1 ? words.joined : words.allJoined)(listedShort(joined)),
    left.length > 0 && (left.length === 1 ? words.left : words.allLeft)(listedShort(left)),
  ]
    .filter(Boolean)
    .join(", ");
}

function facesOf(notices: readonly Notice[], became: "joined" | "left"): Face[] {
  const faces = new Set<Face>();
  for (const { change } of notices) {
    if (change && "face" in change && change.became === became) faces.add(change.face);
  }
  return [...faces];
}

function listedShort(faces: readonly Face[]): string {
  if (faces.length <= NAMED) return listed(faces);
  const named = faces.slice(0, NAMED - 1);
  return listed(named, chatText.screen.notices.others(faces.length - named.length));
}
