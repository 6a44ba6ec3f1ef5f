import { type RefObject, useRef } from "react";

type Point = { x: number; y: number };

/** 1 for a swipe to the left (to the next page), -1 to the right, 0 if it was too short or not clearly sideways. */
export function swipeDirection(from: Point, to: Point): -1 | 0 | 1 {
  const across = to.x - from.x;
  const along = Math.abs(to.y - from.y);
  if (Math.abs(across) < 56 || Math.abs(across) < along * 1.6) return 0;
  return across < 0 ? 1 : -1;
}

/** After less than this the direction of a finger is not known yet. */
const UNDECIDED_PX = 10;

/** Touch handlers for swiping from one page to the next. The element `page`, if given, follows the finger. */
export function useSwipe(
  current: number,
  count: number,
  onPage: (page: number) => void,
  page?: RefObject<HTMLElement | null>,
) {
  const from = useRef<Point>(undefined);
  const follows = useRef(false);

  const after = (direction: -1 | 0 | 1) => Math.min(count - 1, Math.max(0, current + direction));

  /** The page moves back, as the stylesheet animates it. */
  function letGo() {
    from.current = undefined;
    follows.current = false;
    if (page?.current) page.current.style.transform = "";
  }

  return {
    onTouchStart: ({ currentTarget, target, touches }: React.TouchEvent) => {
      letGo();
      const touch = touches[0];
      // In React, events also bubble from a dialog that was opened from here.
      const isWithin = currentTarget.contains(target as Node);
      if (touch && touches.length === 1 && isWithin) from.current = { x: touch.clientX, y: touch.clientY };
    },
    onTouchMove: (event: React.TouchEvent) => {
      const touch = event.touches[0];
      if (!touch || !from.current || !page?.current) return;
      const across = touch.clientX - from.current.x;
      const along = Math.abs(touch.clientY - from.current.y);
      if (!follows.current) {
        if (Math.max(Math.abs(across), along) < UNDECIDED_PX) return;
        // A finger that has begun to scroll only scrolls.
        if (Math.abs(across) < along * 1.6) return letGo();
        follows.current = true;
      }
      // If there is no page in that direction, this one follows only a little.
      const isLast = after(across < 0 ? 1 : -1) === current;
      page.current.style.transform = `translateX(${isLast ? across * 0.2 : across}px)`;
    },
    onTouchEnd: (event: React.TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!touch || !from.current) return;
      const next = after(swipeDirection(from.current, { x: touch.clientX, y: touch.clientY }));
      letGo();
      if (next !== current) onPage(next);
    },
    onTouchCancel: letGo,
  };
}
