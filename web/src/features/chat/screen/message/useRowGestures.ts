import { type MouseEvent, type PointerEvent, useRef } from "react";
import { useRoom } from "../chatContext";
import { useCanReply, useReply, VIBRATION_MS } from "../composer/reply";
import { messageOf, rowAround } from "../log/rows";
import { useMessageMenu } from "./useMessageMenu";

const LONG_PRESS_MS = 480;
const HEART = "❤️";
/** How far a finger has to move sideways to answer a message, and how far the row follows it at most. */
const REPLY_AT_PX = 56;
const FARTHEST_PX = 84;
/** After less than this the direction of a finger is not known yet. */
const UNDECIDED_PX = 10;

/** A second tap within this time reacts. */
const DOUBLE_TAP_MS = 300;

/** Where the browser doesn't tell the end, a list that hasn't moved for this long has come to rest. */
const AT_REST_MS = 150;
const TELLS_END = "onscrollend" in globalThis;

type Direction = "undecided" | "across" | "elsewhere";

type Touch = { row: HTMLElement; x: number; y: number; direction: Direction; timer: number };

/**
 * A swipe answers a message, two taps react to it; a long press or the right button opens its menu. The browser still does vertical scrolling
 * (`touch-action: pan-y`), and sends `pointercancel` when it begins to scroll.
 */
export function useRowGestures() {
  const { store, actions } = useRoom();
  const reply = useReply();
  const canReply = useCanReply();
  const { openMenu } = useMessageMenu();
  const touch = useRef<Touch>(undefined);
  const isTouch = useRef(false);
  const tapped = useRef<{ row: HTMLElement | null; at: number }>({ row: null, at: 0 });
  /** Whether the last finger has moved the list, and when that motion ends. A message that comes moves it as well. */
  const glide = useRef({ isPushed: false, endsAt: 0, timer: 0 });

  function letGo() {
    if (touch.current) {
      clearTimeout(touch.current.timer);
      touch.current.row.style.removeProperty("--pulled");
      delete touch.current.row.dataset.pulled;
    }
    touch.current = undefined;
  }

  function onScroll() {
    if (glide.current.isPushed) glide.current.endsAt = Infinity;
    if (TELLS_END) return;
    clearTimeout(glide.current.timer);
    glide.current.timer = window.setTimeout(onScrollEnd, AT_REST_MS);
  }

  function onScrollEnd() {
    glide.current.endsAt = performance.now();
  }

  function onPointerCancel() {
    letGo();
    glide.current.isPushed = true;
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    letGo();
    // A finger that came while the list glided only stops it, even if a busy page hears of it later than of the end.
    const isFree = event.timeStamp > glide.current.endsAt;
    glide.current = { isPushed: false, endsAt: 0, timer: glide.current.timer };
    const row = rowAround(event.target);
    isTouch.current = event.pointerType === "touch";
    if (event.pointerType === "mouse" || !event.isPrimary || !row || !isFree) return;
    const { clientX: x, clientY: y } = event;
    const timer = window.setTimeout(() => {
      letGo();
      openMenu(row, besideRow(row, x));
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

  /**
   * Two taps on a message, but not on something in it that acts by itself, react with the heart. The chip moves the
   * row, so this is done by the click, which is the last event of a tap: another one would hit the chip.
   */
  function onTap({ target, timeStamp: at }: MouseEvent<HTMLElement>) {
    if (!isTouch.current || !(target instanceof Element) || target.closest("a, button")) return;
    const row = target.closest<HTMLElement>("[data-row], [data-said]");
    const message = messageOf(store.getState(), row?.dataset.row ?? row?.dataset.said);
    if (!canReply(message)) return;
    const isSecond = tapped.current.row === row && at - tapped.current.at < DOUBLE_TAP_MS;
    tapped.current = { row: isSecond ? null : row, at };
    if (!isSecond) return;
    navigator.vibrate?.(VIBRATION_MS);
    actions.react(message, HEART);
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
    const { clientX: x, clientY: y } = event;
    openMenu(row, byKey ? undefined : isTouch.current ? besideRow(row, x) : { x, y });
  }

  return {
    onTap,
    touching: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel,
      onContextMenu,
      onScroll,
      onScrollEnd,
    },
  };
}

/** A finger covers what is below it, so its menu leaves the row in view. */
function besideRow(row: HTMLElement, x: number) {
  const { top: y, height } = row.getBoundingClientRect();
  return { x, y, height };
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
