import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Line } from "../../model/chat";
import { useRoom } from "../chatContext";

const AT_END_PX = 60;
const FAR_PX = 500;
const NEAR_START_PX = 2400;

/**
 * Keeps the newest line in view if the reader is there already or has just sent a message. Otherwise keeps the reader's
 * place when older lines come in above it.
 */
export function useFollowing(lines: readonly Line[], scroller: RefObject<HTMLElement | null>) {
  const { store, actions, screen } = useRoom();
  const list = useRef<VirtualizerHandle>(null);
  const drawn = useRef<readonly Line[]>([]);
  const offset = useRef(0);
  const atEnd = useRef(true);
  /** The reader scrolls up: nothing scrolls back to the end before that is over. */
  const goesUp = useRef(false);
  const gauge = useRef<HTMLDivElement>(null);
  const frame = useRef(0);
  const shift = drawn.current.length > 0 && cameBefore(drawn.current, lines);

  function look(isAtEnd: boolean, farFromEnd: boolean) {
    atEnd.current = isAtEnd;
    screen.setState({ farFromEnd });
    actions.lookAtEnd(isAtEnd);
  }

  /** Nothing scrolls when the list or its box changes by itself. It is measured once a frame, however many lines come. */
  function measure() {
    if (frame.current !== 0 || atEnd.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      // Meanwhile one may have gone to the end, or away.
      if (!scroller.current || atEnd.current) return;
      const left = fromEnd(scroller.current, scroller.current.scrollTop);
      const isFar = left > FAR_PX;
      if (left <= AT_END_PX || isFar !== screen.getState().farFromEnd) look(left <= AT_END_PX, isFar);
    });
  }

  /** The list's own way to its end would lead back a reader who leaves while lines are measured. */
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
    // So few of a page may be shown that there is nothing to scroll.
    const { scrollSize = Number.POSITIVE_INFINITY, viewportSize = 0 } = list.current ?? {};
    if (scrollSize < viewportSize + NEAR_START_PX) older();
  });
  useLayoutEffect(() => come(lines), [lines]);

  function onScroll(at: number) {
    if (!scroller.current || !list.current) return;
    const left = fromEnd(scroller.current, at);
    // When the box grows the browser scrolls before the list hears of it, and when lines turn out lower than they were
    // thought the list scrolls before the page has them: who has left the end has left both.
    const { scrollSize, viewportSize } = list.current;
    const leftBoth = Math.min(left, scrollSize - viewportSize - at);
    // Only scrolling up leaves the end; otherwise the end itself has moved, or the box was higher.
    const up = offset.current - at;
    const lost = resetGauge(gauge.current);
    if (up > lost + 1 && leftBoth > 1) goesUp.current = true;
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
    // Lines may have come meanwhile.
    if (scroller.current && atEnd.current && fromEnd(scroller.current, offset.current) > AT_END_PX) follow();
  }

  /** Leads to a row in the middle. How far that is from the end is known when it has been scrolled to. */
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
 * By how much the list's box was higher since this was last asked. When it is high again within one frame nobody is told,
 * but the browser has scrolled what was at its end, and the gauge with it.
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
