import type { Message } from "../../model/chat";
import { useRoom } from "../chatContext";
import { messageOf } from "../log/rows";
import type { MenuPlace } from "../screen";

/** Whether a message's menu (`overlays/MessageMenu.tsx`) has entries: not if it was taken back, or is a picture without words that is being sent. */
export function hasMenu({ retracted, seq, words, delivery }: Message): boolean {
  return !retracted && (seq !== undefined || words !== "" || delivery.state !== "sending");
}

/** Opens the menu of a row, if it has entries: at this point, or below the start of the row. */
export function useMessageMenu() {
  const { store, screen } = useRoom();
  return function openMenu(row: HTMLElement, at?: MenuPlace["point"], from = row) {
    const message = messageOf(store.getState(), row.dataset.row);
    const { left, bottom } = row.getBoundingClientRect();
    const point = at ?? { x: left + 24, y: bottom };
    if (message && hasMenu(message))
      screen.setState({ open: { is: "messageMenu", key: message.key, point, from } });
  };
}
