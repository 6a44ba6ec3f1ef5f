import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { dismiss, type Notice, notices, wasReadOut } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./NoticesHost.module.css";
import { useTopmost } from "./openDialogs";

/** Screen readers announce text in a live region only if the region was there this long before. */
const SETTLED_MS = 100;
const SWIPE_PX = 32;

/** Shows the notice in the topmost dialog: elements behind a dialog are not read out and can't be reached. */
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

/** A notice disappears after its time, which starts again when the pause ends. */
function Sticker({ notice, isPaused, onClose }: Props) {
  const touchedAt = useRef(0);
  /** It was already read out, in a dialog that is closed now. */
  const [isOld] = useState(() => wasReadOut(notice));

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
      {/* A failure is read out at once, any other notice at the next pause. */}
      <div role={notice.isError && !isOld ? "alert" : undefined}>
        <p className={styles.title}>{notice.title}</p>
        {notice.description && <p className={styles.description}>{notice.description}</p>}
      </div>
      {notice.action && (
        <Button
          onClick={() => {
            onClose();
            notice.action?.act();
          }}
          size="s"
        >
          {notice.action.label}
        </Button>
      )}
      <IconButton icon="close" label={appText.dialog.close} onClick={onClose} />
    </div>
  );
}
