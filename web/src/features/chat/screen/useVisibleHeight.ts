import { type RefObject, useEffect } from "react";

/**
 * Keeps the screen as high as what a phone's keyboard leaves of it. Most browsers make the page smaller themselves, as
 * index.html asks them to; Safari only lays the keyboard over it.
 */
export function useVisibleHeight(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { visualViewport: visible } = window;
    if (!visible) return;
    function fit() {
      const { current } = screen;
      // Zoomed in, the visible part is a part of the page and not what is left of it.
      if (!current || !visible || visible.scale > 1.01) return;
      const isCovered = window.innerHeight - visible.height > 1;
      current.style.setProperty("--visible", isCovered ? `${visible.height}px` : "100dvh");
      if (isCovered) window.scrollTo(0, 0);
    }
    visible.addEventListener("resize", fit);
    return () => visible.removeEventListener("resize", fit);
  }, [screen]);
}
