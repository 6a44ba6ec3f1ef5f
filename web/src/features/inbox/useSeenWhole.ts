import { type RefObject, useEffect, useEffectEvent } from "react";

const READING_MS = 4000;

/** Calls back when the whole text, not cut off, was in view for a moment in a visible window. */
export function useSeenWhole(words: RefObject<HTMLElement | null>, isNew: boolean, onSeen: () => void) {
  const seen = useEffectEvent(onSeen);

  useEffect(() => {
    const element = words.current;
    if (!element || !isNew) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (!entry || entry.intersectionRatio < 1) return;
        timer = setTimeout(() => {
          const isWhole = element.scrollHeight <= element.clientHeight + 1;
          if (isWhole && document.visibilityState === "visible") seen();
        }, READING_MS);
      },
      { threshold: 1 },
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      clearTimeout(timer);
    };
  }, [words, isNew]);
}
