import { useEffect } from "react";

/** The longest a browser's timer can wait; a later end is waited for in steps. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls `onEnded` for each group whose time is up, when it is. */
export function useEndings(groups: readonly { id: string; ends: number }[], onEnded: (id: string) => void) {
  useEffect(() => {
    const wait = ({ id, ends }: { id: string; ends: number }) =>
      setTimeout(() => onEnded(id), Math.min(LONGEST_MS, Math.max(0, ends - Date.now())));
    const timers = groups.map(wait);
    return () => timers.forEach(clearTimeout);
  }, [groups, onEnded]);
}
