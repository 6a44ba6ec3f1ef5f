import { chatText } from "@/shared/text/chatText";
import { locale } from "@/shared/text/language";
import { Icon } from "@/shared/ui/icons";
import type { Face, Notice } from "../../model/chat";
import { useRoom, useScreen } from "../chatContext";
import { faceName } from "../face";
import styles from "./ComingsRow.module.css";
import type { Comings } from "./listRows";
import { NoticeRow } from "./NoticeRow";
import rows from "./Row.module.css";

/** Of more names than this only the first ones are said. */
const NAMED = 3;

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
        className={`${rows.notice} ${styles.comings}`}
        onClick={toggle}
        type="button"
      >
        <span aria-hidden="true" className={rows.face}>
          {faces.slice(0, NAMED).join("")}
        </span>
        <span className={styles.who}>{comingsWords(notices)}</span>
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
    joined.length > 0 && (joined.length === 1 ? words.joined : words.allJoined)(listed(joined)),
    left.length > 0 && (left.length === 1 ? words.left : words.allLeft)(listed(left)),
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

function listed(faces: readonly Face[]): string {
  const named = faces.length > NAMED ? faces.slice(0, NAMED - 1) : faces;
  const more = faces.length - named.length;
  const names = named.map(faceName);
  if (more > 0) names.push(chatText.screen.notices.others(more));
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
}
