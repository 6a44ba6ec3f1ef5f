import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal, flushSync } from "react-dom";
import { useOverlay } from "@/shared/overlays";
import { DOWN, rove } from "@/shared/ui/rove";
import styles from "./Menu.module.css";
import { focusPage } from "./openDialogs";

/** The space between the menu and its button, and between the menu and the window's edge. */
const GAP_PX = 4;
const EDGE_PX = 8;

export type MenuEntry = { label: string; act: () => void; danger?: boolean } | "separator" | false;

/** With a height it is the edge of something that stays in view. */
type MenuPoint = { x: number; y: number; height?: number };

type Props = {
  label: string;
  entries: readonly MenuEntry[];
  /** Items of another kind above the entries. `choose` closes the menu, and then does what was chosen. */
  above?: (choose: (event: React.MouseEvent, act: () => void) => void) => ReactNode;
  /** The element that gets the focus back. Without `point` the menu opens at it. */
  from: HTMLElement;
  point?: MenuPoint;
  /** Has to unmount the menu. The chosen action runs after that, when the focus is back at `from`. */
  onClose: () => void;
};

/** A menu that is open as long as it is drawn. A press beside it, or Back, only closes it. */
export function Menu({ label, entries, above, from, point, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null);
  /** The finger whose long press opened the menu is still down. Lifting it must not choose an entry. */
  const pressed = useRef(false);

  useOverlay(close);
  // Each time it is drawn: what is sent meanwhile gets more entries, and the menu has to stay in the window.
  useLayoutEffect(hang);
  useLayoutEffect(() => {
    // A menu opened with the keyboard focuses its first item, so that the next Enter chooses it.
    const first = isByKey(from)
      ? menu.current?.querySelector<HTMLElement>(":scope > [role=menuitem]")
      : menu.current;
    first?.focus({ preventScroll: true });
    return () => {
      if (from.isConnected) from.focus({ preventScroll: true });
      else focusPage();
    };
  }, [from]);

  const onResize = useEffectEvent(hang);
  useLayoutEffect(() => {
    const hear = () => onResize();
    window.addEventListener("resize", hear);
    return () => window.removeEventListener("resize", hear);
  }, []);

  function hang() {
    if (menu.current) place(menu.current, from, point);
  }

  function close() {
    flushSync(onClose);
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLElement>) {
    // A held Enter key that opened the menu repeats, and must not choose an entry.
    if (event.key === "Enter" && event.repeat) event.preventDefault();
    // Tab moves on from the element that had the focus before.
    if (event.key === "Tab") close();
    else rove(event, "menuitem", DOWN);
  }

  function choose({ detail }: React.MouseEvent, act: () => void) {
    if (detail > 0 && !pressed.current) return;
    close();
    act();
  }

  function press(event: React.MouseEvent<HTMLElement>) {
    if (event.type === "contextmenu") event.preventDefault();
    if (pressed.current && event.target === event.currentTarget) close();
  }

  return createPortal(
    // biome-ignore lint/a11y: a press beside the menu closes it; on the keyboard Escape does
    <div
      className={styles.layer}
      onClick={press}
      onContextMenu={press}
      onPointerDown={() => {
        pressed.current = true;
      }}
    >
      <div
        aria-label={label}
        className={styles.menu}
        onKeyDown={onKeyDown}
        ref={menu}
        role="menu"
        tabIndex={-1}
      >
        {above?.(choose)}
        {entries.map((entry, at) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is the same each time
          if (entry === "separator") return <hr className={styles.separator} key={at} />;
          if (!entry) return null;
          return (
            <button
              className={styles.item}
              data-kind={entry.danger ? "danger" : undefined}
              key={entry.label}
              onClick={(event) => choose(event, entry.act)}
              onPointerMove={({ pointerType, currentTarget }) => {
                if (pointerType === "mouse") currentTarget.focus({ preventScroll: true });
              }}
              role="menuitem"
              tabIndex={-1}
              type="button"
            >
              {entry.label}
            </button>
          );
        })}
      </div>
    </div>,
    document.getElementById("main") ?? document.body,
  );
}

function isByKey(from: HTMLElement): boolean {
  return from === document.activeElement && from.matches(":focus-visible");
}

/** Places the menu below the point or button; above it if there is no space; always inside the window. */
function place(menu: HTMLElement, from: HTMLElement, point?: MenuPoint) {
  const { offsetWidth, offsetHeight, style } = menu;
  const at = point ? new DOMRect(point.x, point.y, 0, point.height) : from.getBoundingClientRect();
  const left = point ? at.left : at.right - offsetWidth;
  const fitsBelow = at.bottom + GAP_PX + offsetHeight + EDGE_PX <= window.innerHeight;
  const top = fitsBelow ? at.bottom + GAP_PX : at.top - GAP_PX - offsetHeight;
  style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - offsetWidth - EDGE_PX))}px`;
  style.top = `${Math.max(EDGE_PX, top)}px`;
}
