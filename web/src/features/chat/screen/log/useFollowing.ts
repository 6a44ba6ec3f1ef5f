import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Line } from "../../model/chat";
import { useRoom } from "../chatContext";

const AT_END_PX = 60;
const FAR_PX = 500;
const NEAR_START_PX = 2400;

/**
 * Keeps the newest line in view if the reader is there already or has just sent a message. Otherwise keeps the reader's
 * place when older lines come in above it. `onUp` hears that the reader scrolls up.
 */
export function useFollowing(
  lines: readonly Line[],
  scroller: RefObject<HTMLElement | null>,
  onUp: () => void,
) {
  const { store, actions, screen } = useRoom();
  const list = useRef<VirtualizerHandle>(null);
  const drawn = useRef<readonly Line[]>([]);
  const offset = useRef(0);
  const atEnd = useRef(true);
  /** The reader is scrolling up. Until that is over, `follow` does nothing. */
  const goesUp = useRef(false);
  const gauge = useRef<HTMLDivElement>(null);
  const frame = useRef(0);
  const shift = drawn.current.length > 0 && cameBefore(drawn.current, lines);

  function look(isAtEnd: boolean, farFromEnd: boolean) {
    atEnd.current = isAtEnd;
    screen.setState({ farFromEnd });
    actions.setAtEnd(isAtEnd);
  }

  /** When lines or the box change size there is no scroll event: looks at most once a frame how far the end is. */
  function measure() {
    if (frame.current !== 0 || atEnd.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      // In the meantime the reader may have gone to the end, or left the room.
      if (!scroller.current || atEnd.current) return;
      const left = fromEnd(scroller.current, scroller.current.scrollTop);
      const isFar = left > FAR_PX;
      if (left <= AT_END_PX || isFar !== screen.getState().farFromEnd) look(left <= AT_END_PX, isFar);
    });
  }

  /** Scrolls to the end. The list's own function would also pull back a reader who is just scrolling up. */
  function follow() {
    if (scroller.current && !goesUp.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }

  function toEnd() {
    goesUp.current = false;
    look(true, false);
    follow();
  }

  function older() {
    const { hasOlder, loadingOlder } = store.getState();
    if (hasOlder && !loadingOlder) void actions.loadOlder();
  }

  const come = useEffectEvent((lines: readonly Line[]) => {
    const newest = lines.at(-1);
    const isOwn = newest?.kind === "message" && newest.mine && newest.key !== drawn.current.at(-1)?.key;
    drawn.current = lines;
    if (isOwn) toEnd();
    else if (atEnd.current) follow();
    else measure();
    // If the page shows so few rows that nothing can be scrolled, no scroll event will load older ones.
    const { scrollSize = Number.POSITIVE_INFINITY, viewportSize = 0 } = list.current ?? {};
    if (scrollSize < viewportSize + NEAR_START_PX) older();
  });
  useLayoutEffect(() => come(lines), [lines]);

  function onScroll(at: number) {
    if (!scroller.current || !list.current) return;
    const left = fromEnd(scroller.current, at);
    // When the box grows, the browser scrolls before the list knows the new size. When lines are lower than estimated,
    // the list scrolls before the page is redrawn. So the reader has left the end only if both distances say so.
    const { scrollSize, viewportSize } = list.current;
    const leftBoth = Math.min(left, scrollSize - viewportSize - at);
    // Only the reader scrolls up. Otherwise the end has moved, or the box was higher for a moment.
    const up = offset.current - at;
    const lost = resetGauge(gauge.current);
    if (up > lost + 1 && leftBoth > 1) {
      goesUp.current = true;
      onUp();
    }
    const leaves = up > lost + 1 && leftBoth > AT_END_PX;
    offset.current = at;
    const isAtEnd = left <= AT_END_PX || (atEnd.current && !leaves);
    if (isAtEnd && lost > 1) follow();
    const isFar = !isAtEnd && left > FAR_PX;
    if (atEnd.current !== isAtEnd || screen.getState().farFromEnd !== isFar) look(isAtEnd, isFar);
    if (at < NEAR_START_PX) older();
  }

  function onResize() {
    resetGauge(gauge.current);
    if (atEnd.current) follow();
    else measure();
  }

  function onScrollEnd() {
    goesUp.current = false;
    // Lines may have come while the reader scrolled.
    if (scroller.current && atEnd.current && fromEnd(scroller.current, offset.current) > AT_END_PX) follow();
  }

  /** Scrolls this row to the middle, and measures after that how far it is from the end. */
  function toRow(at: number) {
    look(false, screen.getState().farFromEnd);
    list.current?.scrollToIndex(at, { align: "center" });
    measure();
  }

  return { list, gauge, shift, onScroll, onScrollEnd, onResize, toEnd, toRow };
}

function fromEnd({ scrollHeight, clientHeight }: HTMLElement, at: number): number {
  return scrollHeight - clientHeight - at;
}

/**
 * Scrolls the gauge to its end, and returns how many pixels higher the list's box was since the last call. A box that
 * grows and shrinks within one frame causes no event, but the browser scrolls elements that were at their end.
 */
function resetGauge(gauge: HTMLElement | null): number {
  if (!gauge) return 0;
  const end = gauge.scrollHeight - gauge.clientHeight;
  const by = end - gauge.scrollTop;
  gauge.scrollTop = end;
  return by;
}

function cameBefore(drawn: readonly Line[], lines: readonly Line[]): boolean {
  const added = lines.length - drawn.length;
  const first = drawn[0]?.key;
  return added > 0 && lines[0]?.key !== first && lines.findIndex(({ key }) => key === first) > 0;
}
