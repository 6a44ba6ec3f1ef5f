import { useEffect } from "react";
import { useRevalidator } from "react-router-dom";

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/** Reloads the page's data by itself as long as this is mounted: when the network is back, and after growing pauses. */
export function useRetry() {
  const { revalidate, state } = useRevalidator();

  useEffect(() => {
    const now = () => void revalidate();
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    function plan() {
      if (isGone) return;
      // The pauses are random, so that a restarted server isn't asked by all pages at once.
      timer = setTimeout(() => void revalidate().then(plan), pause * (0.75 + Math.random() / 2));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    plan();
    window.addEventListener("online", now);
    return () => {
      isGone = true;
      clearTimeout(timer);
      window.removeEventListener("online", now);
    };
  }, [revalidate]);

  return { retry: () => void revalidate(), isRetrying: state === "loading" };
}
