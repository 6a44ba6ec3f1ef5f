import { createContext, use, useEffect, useState } from "react";
import type { ChatState } from "../../model/chat";
import { useRoom } from "../chatContext";

/** More at once are what was missed: they simply stand there. */
const MOST = 3;
/** So many of the last lines are looked at. What one sends may stand behind what comes meanwhile. */
const NEWEST = 12;
/** By then they are drawn. Whoever scrolls back to one later finds it at rest. */
const FORGOTTEN_MS = 300;

type Shown = Pick<ChatState, "lines" | "connection">;

/** The keys of the lines that came or were sent since, at the end of what was shown. */
export function arrivals(before: Shown, now: Shown): string[] {
  const known = new Set(before.lines.slice(-2 * NEWEST).map(({ key }) => key));
  const first = before.lines[0]?.key;
  const fresh: string[] = [];
  for (let at = now.lines.length - 1; at >= Math.max(0, now.lines.length - NEWEST); at -= 1) {
    const line = now.lines[at];
    // What stands before the first is a page of the history.
    if (!line || line.key === first) break;
    const isExpected = now.connection === "live" || (line.kind === "message" && line.mine);
    if (!known.has(line.key) && isExpected) fresh.push(line.key);
  }
  return fresh.length > MOST ? [] : fresh;
}

const ArrivalsContext = createContext<ReadonlySet<string>>(new Set());
export const ArrivalsProvider = ArrivalsContext.Provider;

/** The lines that have just come, for as long as it takes to draw them. */
export function useArrivals(): ReadonlySet<string> {
  const { store } = useRoom();
  const [recent] = useState(() => new Set<string>());
  useEffect(
    () =>
      store.subscribe((now, before) => {
        if (now.lines === before.lines) return;
        for (const key of arrivals(before, now)) {
          recent.add(key);
          setTimeout(() => recent.delete(key), FORGOTTEN_MS);
        }
      }),
    [store, recent],
  );
  return recent;
}

/** Whether what is drawn for this line is drawn because it has just come. */
export function useArrives(key: string): true | undefined {
  const recent = use(ArrivalsContext);
  const [arrives] = useState(() => recent.has(key));
  return arrives || undefined;
}
