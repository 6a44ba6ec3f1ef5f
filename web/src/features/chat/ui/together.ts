import type { Line } from "../chat";

/** Whether two lines are the same person going on. */
export function together(one: Line | undefined, next: Line | undefined): boolean {
  return one?.kind === "message" && next?.kind === "message" && one.sender === next.sender;
}
