import type { Face } from "./chat";

export type Change = { face: Face; became: keyof typeof SEATS } | { locked: boolean };

const SEATS = { joined: " joined", left: " left", removed: " was removed" };

/** What a notice says has changed. Its words are the only place where the socket says it. */
export function changeIn(notice: string): Change | undefined {
  if (notice === "The group is locked: nobody new can join") return { locked: true };
  if (notice === "The group is open again") return { locked: false };
  for (const [became, ending] of Object.entries(SEATS)) {
    if (!notice.endsWith(ending)) continue;
    return { face: notice.slice(0, -ending.length), became: became as keyof typeof SEATS };
  }
  return undefined;
}
