import { useEffect, useRef, useState } from "react";
import { dismiss, heard, type Notice } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./NoticesHost.module.css";

/** So far up or down, and it is swiped away. */
const SWIPE_PX = 32;
/** By then a screen reader has begun with it. */
const HEARD_MS = 1000;

type Props = { notice: Notice; held: boolean; onClose: () => void };

/** One notice. It goes by itself after its time, which begins again when nobody holds it any more. */
export function NoticeSticker({ notice, held, onClose }: Props) {
  const touchedAt = useRef(0);
  /** Read out already, in a dialog that is closed by now. */
  const [isOld] = useState(heard.has(notice));

  useEffect(() => {
    const timer = setTimeout(() => heard.add(notice), HEARD_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => dismiss(notice.id), notice.ms);
    return () => clearTimeout(timer);
  }, [held, notice]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: ways to close it beside the button
    <div
      aria-live={isOld ? "off" : undefined}
      className={styles.notice}
      data-kind={notice.isError ? "error" : "news"}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // The dialog it lies on stays.
        event.preventDefault();
        onClose();
      }}
      onTouchEnd={({ changedTouches }) => {
        const y = changedTouches[0]?.clientY ?? touchedAt.current;
        if (Math.abs(touchedAt.current - y) > SWIPE_PX) onClose();
      }}
      onTouchStart={({ touches }) => {
        touchedAt.current = touches[0]?.clientY ?? 0;
      }}
    >
      <div className={styles.content}>
        {/* What went wrong is read out at once, all else when there is a pause. */}
        <div role={notice.isError && !isOld ? "alert" : undefined}>
          <p className={styles.title}>{notice.title}</p>
          {notice.description && <p className={styles.description}>{notice.description}</p>}
        </div>
        <IconButton icon="close" label={appText.notices.close} onClick={onClose} />
      </div>
    </div>
  );
}
