import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTopmost } from "@/shared/ui/overlay/openDialogs";
import { useRoom } from "../chatContext";
import { type Announcement, announcements } from "./announcements";
import styles from "./Log.module.css";
import { messageAt } from "./rows";

/** Several lines within this time are told together. */
const GATHER_MS = 700;
/** How many sentences stay for a reader that is slower. */
const KEPT = 6;

type Sentence = Announcement & { key: number };

/**
 * Reads out what is new, politely: what was there before, and what one scrolls to, stays silent. An open dialog doesn't
 * silence it.
 */
export function Announcer() {
  const { store } = useRoom();
  const topmost = useTopmost();
  const [sentences, setSentences] = useState<readonly Sentence[]>([]);
  const [place, setPlace] = useState(topmost);
  // The region moves to another dialog. Old sentences are dropped, or they would be read again there.
  if (place !== topmost) {
    setPlace(topmost);
    setSentences([]);
  }

  useEffect(() => {
    let told = store.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let count = 0;
    function announce() {
      timer = undefined;
      const now = store.getState();
      const added = announcements(told, now).map((sentence, at) => ({ ...sentence, key: count + at }));
      count += added.length;
      told = now;
      if (added.length > 0) setSentences((before) => [...before, ...added].slice(-KEPT));
    }
    const stop = store.subscribe((now, before) => {
      if (now.lines === before.lines) return;
      timer ??= setTimeout(announce, GATHER_MS);
      // A reader can go back to what it read; what was taken back is not there any more.
      setSentences((all) => (all.some(isGone) ? all.filter((one) => !isGone(one)) : all));
      function isGone({ of }: Sentence) {
        return messageAt(now, of)?.unsent === true;
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
