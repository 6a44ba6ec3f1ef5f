import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTopmost } from "@/shared/ui/overlay/openDialogs";
import { useRoom } from "../chatContext";
import { type Announcement, announcements } from "./announcements";
import styles from "./Log.module.css";
import { messageAt } from "./rows";

/** Lines that come within this time are read out together. */
const GATHER_MS = 700;
/** How many sentences stay in the page, for a slow screen reader. */
const KEPT = 6;

type Sentence = Announcement & { key: number };

/**
 * Lets a screen reader read out new lines, but not lines that were there before or that one scrolls to. It is inside an
 * open dialog, because elements outside one are not read.
 */
export function Announcer() {
  const { store } = useRoom();
  const topmost = useTopmost();
  const [sentences, setSentences] = useState<readonly Sentence[]>([]);
  const [place, setPlace] = useState(topmost);
  // The region moves into another dialog. Without its old sentences: they would be read out again.
  if (place !== topmost) {
    setPlace(topmost);
    setSentences([]);
  }

  useEffect(() => {
    let before = store.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let count = 0;
    function announce() {
      timer = undefined;
      const now = store.getState();
      const added = announcements(before, now).map((sentence, at) => ({ ...sentence, key: count + at }));
      count += added.length;
      before = now;
      if (added.length > 0) setSentences((all) => [...all, ...added].slice(-KEPT));
    }
    const stop = store.subscribe((now, { lines }) => {
      if (now.lines === lines) return;
      timer ??= setTimeout(announce, GATHER_MS);
      // A screen reader can go back to earlier sentences, so those of messages that were taken back are removed.
      setSentences((all) => (all.some(isGone) ? all.filter((one) => !isGone(one)) : all));
      function isGone({ of }: Sentence) {
        return messageAt(now, of)?.retracted === true;
      }
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store]);

  return createPortal(
    <div aria-live="polite" className={`visually-hidden ${styles.announcer}`}>
      {sentences.map(({ key, words }) => (
        <p key={key}>{words}</p>
      ))}
    </div>,
    topmost,
  );
}
