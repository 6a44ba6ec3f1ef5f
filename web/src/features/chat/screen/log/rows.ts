import type { ChatState, Message } from "../../model/chat";

/** The row of a line, while it is drawn. */
export function rowOf(log: HTMLElement | null, key: string): HTMLElement | null {
  return log?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;
}

/** The row that something in it belongs to. */
export function rowAround(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
}

/** The message of a row; what is pointed at is mostly new, so the search begins at the end. */
export function messageOf(state: ChatState, key: string | undefined): Message | undefined {
  const line = state.lines.findLast((known) => known.key === key);
  return line?.kind === "message" ? line : undefined;
}
