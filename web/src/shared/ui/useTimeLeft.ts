import { useEffect, useState } from "react";
import { NEAR_THE_END_MS } from "@/shared/text/timeLeft";

const MINUTE_MS = 60_000;

/** This device's time in milliseconds, a minute old at most. */
export function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The time until `moment`. It is updated every minute, and near the end every second. */
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
