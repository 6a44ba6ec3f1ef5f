import { useRef } from "react";

type Point = { x: number; y: number };

/** Sideways, far enough, and clearly more sideways than not: -1 is towards the start of the line, 1 towards its end. */
export function swipeDirection(from: Point, to: Point): -1 | 0 | 1 {
  const across = to.x - from.x;
  const along = Math.abs(to.y - from.y);
  if (Math.abs(across) < 56 || Math.abs(across) < along * 1.6) return 0;
  return across < 0 ? 1 : -1;
}

/** Which of `count` comes next: a swipe to the left goes on, in a script from right to left it goes back. */
export function afterSwipe(
  current: number,
  count: number,
  direction: -1 | 0 | 1,
  rightToLeft: boolean,
): number {
  const step = rightToLeft ? -direction : direction;
  return Math.min(count - 1, Math.max(0, current + step));
}

/** Touch handlers for something that can be swiped from one page to the next. */
export function useSwipe(current: number, count: number, onPage: (page: number) => void) {
  const from = useRef<Point>(undefined);
  return {
    onTouchStart: ({ currentTarget, target, touches }: React.TouchEvent) => {
      const touch = touches[0];
      // React tells of a dialog over the page as well, as part of what opened it.
      const isWithin = currentTarget.contains(target as Node);
      from.current =
        touch && touches.length === 1 && isWithin ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd: (event: React.TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!touch || !from.current) return;
      const direction = swipeDirection(from.current, { x: touch.clientX, y: touch.clientY });
      const rightToLeft = getComputedStyle(event.currentTarget).direction === "rtl";
      const next = afterSwipe(current, count, direction, rightToLeft);
      if (next !== current) onPage(next);
    },
  };
}
