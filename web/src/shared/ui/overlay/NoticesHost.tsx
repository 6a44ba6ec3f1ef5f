import { type FocusEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { dismiss, notices } from "@/shared/notices";
import { appText } from "@/shared/text/appText";
import { NoticeSticker } from "./NoticeSticker";
import styles from "./NoticesHost.module.css";
import { openDialogs } from "./openDialogs";

/** A live region tells what is added to it, once it has been there for a moment. */
const SETTLED_MS = 100;

/**
 * Shows the notices and has them read out. One of it stands above all screens that give notice. Each dialog that is open
 * has those that were told since: behind it nobody would hear of one or could reach it.
 */
export function NoticesHost() {
  const places = [{ dialog: document.body, after: 0 }, ...useStore(openDialogs)];
  return places.map(({ dialog, after }, at) =>
    createPortal(<Notices after={after} upTo={places[at + 1]?.after} />, dialog, `${at}`),
  );
}

/** What was told in between; a dialog that is closed leaves what it had to the place below. */
function Notices({ after, upTo = Number.POSITIVE_INFINITY }: { after: number; upTo?: number | undefined }) {
  const told = useStore(notices).filter(({ id }) => id > after && id <= upTo);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element>(null);
  const [settled, setSettled] = useState(false);
  /** Nothing goes while somebody points at it, is in it, or is away. */
  const [held, setHeld] = useState(false);

  useEffect(() => {
    const settling = setTimeout(() => setSettled(true), SETTLED_MS);
    const over = new AbortController();
    const on = (type: "keydown" | "blur" | "focus", listener: (event: Event) => void) =>
      window.addEventListener(type, listener, { signal: over.signal });
    on("blur", () => setHeld(true));
    on("focus", () => setHeld(false));
    on("keydown", (event) => {
      if (event instanceof KeyboardEvent && event.key === "F6")
        region.current?.querySelector("button")?.focus();
    });
    return () => {
      clearTimeout(settling);
      over.abort();
    };
  }, []);

  function enter({ currentTarget, relatedTarget }: FocusEvent) {
    setHeld(true);
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
  }

  function close(id: number) {
    dismiss(id);
    setHeld(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
    cameFrom.current = null;
  }

  return (
    <section
      aria-label={appText.notices.label}
      aria-live="polite"
      className={styles.viewport}
      onBlur={() => setHeld(false)}
      onFocus={enter}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      ref={region}
    >
      {settled &&
        told.map((notice) => (
          <NoticeSticker held={held} key={notice.id} notice={notice} onClose={() => close(notice.id)} />
        ))}
    </section>
  );
}
