import type { Face } from "./chat";

export type Change = { face: Face; seated: boolean } | { locked: boolean };

const SEATS: readonly [ending: string, seated: boolean][] = [
  [" joined", true],
  [" left", false],
  [" was removed", false],
];

/** What a notice says has changed. Its words are the only place where the socket says it. */
export function changeIn(notice: string): Change | undefined {
  if (notice === "The group is locked: nobody new can join") return { locked: true };
  if (notice === "The group is open again") return { locked: false };
  for (const [ending, seated] of SEATS) {
    if (notice.endsWith(ending)) return { face: notice.slice(0, -ending.length), seated };
  }
  return undefined;
}
