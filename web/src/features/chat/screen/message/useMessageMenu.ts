import type { MouseEvent } from "react";
import type { Message } from "../../model/chat";
import { useRoom, useScreen } from "../chatContext";
import { messageOf, rowAround } from "../log/rows";
import type { MenuPlace } from "../screen";

/** Whether a message's menu (`overlays/MessageMenu.tsx`) has entries: not if it was taken back, or is a picture without words that is being sent. */
export function hasMenu({ retracted, seq, words, delivery }: Message): boolean {
  return !retracted && (seq !== undefined || words !== "" || delivery.state !== "sending");
}

/** Opens the menu of a row, if it has entries: at this point, or beside the row, which stays in view; `openAt` at its button. */
export function useMessageMenu() {
  const { store, screen } = useRoom();

  function openMenu(row: HTMLElement, at?: MenuPlace["point"], from = row) {
    const message = messageOf(store.getState(), row.dataset.row);
    const { left, top, height } = row.getBoundingClientRect();
    const point = at ?? { x: left + 24, y: top, height };
    if (message && hasMenu(message))
      screen.setState({ open: { is: "messageMenu", key: message.key, point, from } });
  }

  function openAt({ currentTarget }: MouseEvent<HTMLElement>) {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    const row = rowAround(currentTarget);
    if (row) openMenu(row, { x: left, y: bottom }, currentTarget);
  }

  return { openMenu, openAt };
}

/** Whether a message was jumped to, and whether its menu is open or it is being answered. */
export function useMessageState({ key, seq }: Message) {
  const highlighted = useScreen((state) => state.highlighted === key);
  const chosen = useScreen(
    ({ open, replyTo }) =>
      (open?.is === "messageMenu" && open.key === key) || (replyTo !== undefined && replyTo === seq),
  );
  return { highlighted, chosen };
}
