import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;
/** From here on every second counts. */
export const NEAR_THE_END_MS = 10 * MINUTE_MS;

/** How long until `moment`, kept true: by the minute, and near the end by the second. */
export function useTimeLeft(moment: number): number {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, moment - now);

  useEffect(() => {
    if (left === 0) return;
    const wait = left > NEAR_THE_END_MS ? left % MINUTE_MS || MINUTE_MS : left % 1000 || 1000;
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [left]);

  return left;
}
