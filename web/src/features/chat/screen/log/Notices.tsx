import { chatText } from "@/shared/text/chatText";
import { Icon } from "@/shared/ui/icons";
import type { Emoji, RoomNotice } from "../../model/chat";
import { useRoom, useScreen } from "../chatContext";
import { listed, memberName, noticeWords } from "../named";
import type { Comings } from "./listRows";
import styles from "./Row.module.css";

/** The most names that are listed. */
const NAMED = 3;

/** A system line; `name` is the row's key if it is a row of its own. Screen readers say the emoji's name. */
export function NoticeRow({ notice, name }: { notice: RoomNotice; name?: string }) {
  const words = noticeWords(notice);
  const { change } = notice;
  const emoji = change && "emoji" in change && words.startsWith(change.emoji) ? change.emoji : undefined;
  return (
    <p className={styles.notice} data-row={name} dir="auto" tabIndex={-1}>
      {emoji && (
        <span aria-label={memberName(emoji)} className={styles.emoji} role="img">
          {emoji}
        </span>
      )}
      {emoji ? words.slice(emoji.length) : words}
    </p>
  );
}

/** Several people who joined and left, in one line. A tap shows each notice. */
export function ComingsRow({ comings: { key, notices } }: { comings: Comings }) {
  const { screen } = useRoom();
  const isOpen = useScreen(({ unfolded }) => unfolded.includes(key));
  const emojis = [...emojisOf(notices, "joined"), ...emojisOf(notices, "left")];

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
        <span aria-hidden="true" className={styles.emoji}>
          {emojis.slice(0, NAMED).join("")}
        </span>
        <span className="one-line">{comingsWords(notices)}</span>
        <Icon name="down" size={14} />
      </button>
      {isOpen && notices.map((notice) => <NoticeRow key={notice.key} notice={notice} />)}
    </div>
  );
}

/** "Fox, Dog and 8 others joined, Owl left" */
export function comingsWords(notices: readonly RoomNotice[]): string {
  const words = chatText.screen.notices;
  const [joined, left] = [emojisOf(notices, "joined"), emojisOf(notices, "left")];
  return [
    joined.length > 0 && (joined.length === 1 ? words.joined : words.allJoined)(listedShort(joined)),
    left.length > 0 && (left.length === 1 ? words.left : words.allLeft)(listedShort(left)),
  ]
    .filter(Boolean)
    .join(", ");
}

function emojisOf(notices: readonly RoomNotice[], became: "joined" | "left"): Emoji[] {
  const changes = notices.flatMap(({ change }) => (change && "emoji" in change ? [change] : []));
  return [...new Set(changes.filter((change) => change.became === became).map(({ emoji }) => emoji))];
}

function listedShort(emojis: readonly Emoji[]): string {
  if (emojis.length <= NAMED) return listed(emojis);
  const named = emojis.slice(0, NAMED - 1);
  return listed(named, chatText.screen.notices.others(emojis.length - named.length));
}
