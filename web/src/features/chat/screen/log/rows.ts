import type { ChatState, Message } from "../../model/chat";
import { useRoom } from "../chatContext";
import type { MenuPlace } from "../screen";

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

/** Whether its menu has entries: not if it was taken back, or is a picture without words that is being sent. */
export function hasMenu({ retracted, seq, words, delivery }: Message): boolean {
  return !retracted && (seq !== undefined || words !== "" || delivery.state !== "sending");
}

/** Opens the menu of a row, if it has entries: at this point, or below the start of the row. */
export function useMenu() {
  const { store, screen } = useRoom();
  return function openMenu(row: HTMLElement, at?: MenuPlace["point"], from = row) {
    const message = messageOf(store.getState(), row.dataset.row);
    const { left, bottom } = row.getBoundingClientRect();
    const point = at ?? { x: left + 24, y: bottom };
    if (message && hasMenu(message))
      screen.setState({ open: { is: "messageMenu", key: message.key, point, from } });
  };
}
