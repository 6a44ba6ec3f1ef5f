import { type MouseEvent, type PointerEvent, useRef } from "react";
import { useRoom } from "../chatContext";
import { canReply, useReply } from "../composer/reply";
import { messageOf, rowAround } from "../log/rows";
import { useMessageMenu } from "./useMessageMenu";

const LONG_PRESS_MS = 480;
/** How far a finger has to move sideways to answer a message, and how far the row follows it at most. */
const REPLY_AT_PX = 56;
const FARTHEST_PX = 84;
/** After less than this the direction of a finger is not known yet. */
const UNDECIDED_PX = 10;

type Direction = "undecided" | "across" | "elsewhere";

type Touch = { row: HTMLElement; x: number; y: number; direction: Direction; timer: number };

/**
 * A swipe answers a message; a long press or the right button opens its menu. The browser still does vertical scrolling
 * (`touch-action: pan-y`), and sends `pointercancel` when it begins to scroll.
 */
export function useRowGestures() {
  const { store } = useRoom();
  const reply = useReply();
  const { openMenu } = useMessageMenu();
  const touch = useRef<Touch>(undefined);

  function letGo() {
    if (touch.current) {
      clearTimeout(touch.current.timer);
      touch.current.row.style.removeProperty("--pulled");
      delete touch.current.row.dataset.pulled;
    }
    touch.current = undefined;
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    letGo();
    const row = rowAround(event.target);
    if (event.pointerType === "mouse" || !event.isPrimary || !row) return;
    const { clientX: x, clientY: y } = event;
    const timer = window.setTimeout(() => {
      letGo();
      openMenu(row, { x, y });
    }, LONG_PRESS_MS);
    touch.current = { row, x, y, direction: "undecided", timer };
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const at = touch.current;
    if (!at) return;
    const across = event.clientX - at.x;
    if (at.direction === "undecided") {
      at.direction = directionOf(across, event.clientY - at.y);
      if (at.direction !== "undecided") clearTimeout(at.timer);
      if (at.direction === "across" && !canReply(messageOf(store.getState(), at.row.dataset.row)))
        at.direction = "elsewhere";
    }
    if (at.direction !== "across") return;
    at.row.style.setProperty("--pulled", `${pulled(across)}px`);
    at.row.dataset.pulled = across >= REPLY_AT_PX ? "far" : "near";
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const at = touch.current;
    const message = at && messageOf(store.getState(), at.row.dataset.row);
    if (at?.direction === "across" && message && event.clientX - at.x >= REPLY_AT_PX) reply(message);
    letGo();
  }

  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const row = rowAround(event.target);
    // For links and selected text the browser has its own menu.
    const isTheirs = event.target instanceof Element && event.target.closest("a") !== null;
    if (!row || isTheirs || !getSelection()?.isCollapsed) return;
    event.preventDefault();
    letGo();
    // An event of the menu key has no position.
    const byKey = event.button !== 2 && event.clientX === 0 && event.clientY === 0;
    openMenu(row, byKey ? undefined : { x: event.clientX, y: event.clientY });
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: letGo, onContextMenu };
}

/** The direction of a finger that has moved by x and y. Scrolling and swipes to the other side are `elsewhere`. */
function directionOf(x: number, y: number): Direction {
  if (Math.abs(x) < UNDECIDED_PX && Math.abs(y) < UNDECIDED_PX) return "undecided";
  return x > Math.abs(y) * 1.5 ? "across" : "elsewhere";
}

/** How far the row is moved: it follows the finger, from `REPLY_AT_PX` on less and less. */
function pulled(x: number): number {
  if (x <= 0) return 0;
  if (x <= REPLY_AT_PX) return x;
  return Math.min(FARTHEST_PX, REPLY_AT_PX + (x - REPLY_AT_PX) * 0.35);
}
