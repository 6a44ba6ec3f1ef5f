import { appText } from "./appText";

const MINUTE_MS = 60_000;
/** When less than this is left, seconds are shown. */
export const NEAR_THE_END_MS = 10 * MINUTE_MS;

/** "23h 58m left", and near the end "9:59 left". */
export function timeLeft(ms: number): string {
  const { left, hoursAndMinutes } = appText.rooms;
  if (ms < NEAR_THE_END_MS) return left(clock(ms));
  const minutes = Math.ceil(ms / MINUTE_MS);
  return left(hoursAndMinutes(Math.floor(minutes / 60), minutes % 60));
}

/** Minutes and seconds. A second that has begun counts. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
