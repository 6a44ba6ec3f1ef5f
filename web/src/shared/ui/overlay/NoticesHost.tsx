import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { dismiss, isHeard, type Notice, notices } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./NoticesHost.module.css";
import { useTopmost } from "./openDialogs";

/** A live region tells what is added to it, once it has been there for a moment. */
const SETTLED_MS = 100;
const SWIPE_PX = 32;

/** Shows the notice and has it read out: in the topmost dialog, for behind it nobody would hear of it or could reach it. */
export function NoticesHost() {
  return createPortal(<Notices />, useTopmost());
}

function Notices() {
  const notice = useStore(notices);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element>(null);
  const [settled, setSettled] = useState(false);
  /** A notice stays while the pointer or the focus is on it, or the page is hidden. */
  const [isPaused, setPaused] = useState(false);

  useEffect(() => {
    const settling = setTimeout(() => setSettled(true), SETTLED_MS);
    const over = new AbortController();
    const on = (type: "keydown" | "blur" | "focus", listener: (event: Event) => void) =>
      window.addEventListener(type, listener, { signal: over.signal });
    on("blur", () => setPaused(true));
    on("focus", () => setPaused(false));
    on("keydown", (event) => {
      if (event instanceof globalThis.KeyboardEvent && event.key === "F6")
        region.current?.querySelector("button")?.focus();
    });
    return () => {
      clearTimeout(settling);
      over.abort();
    };
  }, []);

  function enter({ currentTarget, relatedTarget }: FocusEvent) {
    setPaused(true);
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
  }

  function close() {
    dismiss();
    setPaused(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
    cameFrom.current = null;
  }

  return (
    <section
      aria-label={appText.notices.label}
      aria-live="polite"
      className={styles.viewport}
      onBlur={() => setPaused(false)}
      onFocus={enter}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      ref={region}
    >
      {settled && notice && <Sticker isPaused={isPaused} key={notice.id} notice={notice} onClose={close} />}
    </section>
  );
}

type Props = { notice: Notice; isPaused: boolean; onClose: () => void };

/** A notice goes by itself after its time, which begins anew when nothing holds it any more. */
function Sticker({ notice, isPaused, onClose }: Props) {
  const touchedAt = useRef(0);
  /** It was read out already, in a dialog that is closed by now. */
  const [isOld] = useState(() => isHeard(notice));

  useEffect(() => {
    notice.shownAt ??= Date.now();
    if (isPaused) return undefined;
    const timer = setTimeout(dismiss, notice.ms);
    return () => clearTimeout(timer);
  }, [isPaused, notice]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    // Escape closes the notice and not the dialog below it.
    event.preventDefault();
    onClose();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: ways to close it beside the button
    <div
      aria-live={isOld ? "off" : undefined}
      className={styles.notice}
      data-kind={notice.isError ? "error" : "news"}
      onKeyDown={onKeyDown}
      onTouchEnd={({ changedTouches }) => {
        const y = changedTouches[0]?.clientY ?? touchedAt.current;
        if (Math.abs(touchedAt.current - y) > SWIPE_PX) onClose();
      }}
      onTouchStart={({ touches }) => {
        touchedAt.current = touches[0]?.clientY ?? 0;
      }}
    >
      {/* What went wrong is read out at once, all else when there is a pause. */}
      <div role={notice.isError && !isOld ? "alert" : undefined}>
        <p className={styles.title}>{notice.title}</p>
        {notice.description && <p className={styles.description}>{notice.description}</p>}
      </div>
      <IconButton icon="close" label={appText.dialog.close} onClick={onClose} />
    </div>
  );
}
