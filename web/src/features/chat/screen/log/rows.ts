import type { ChatState, Message } from "../../model/chat";

export function rowOf(log: HTMLElement | null, key: string): HTMLElement | null {
  return log?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;
}

/** The row that contains this element. */
export function rowAround(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
}

/** The message with this key. The search begins at the end, because most wanted messages are new. */
export function messageOf(state: ChatState, key: string | undefined): Message | undefined {
  return state.lines.findLast((line): line is Message => line.kind === "message" && line.key === key);
}

export function messageAt(state: ChatState, seq: number | undefined): Message | undefined {
  if (seq === undefined) return undefined;
  return state.lines.findLast((line): line is Message => line.kind === "message" && line.seq === seq);
}
