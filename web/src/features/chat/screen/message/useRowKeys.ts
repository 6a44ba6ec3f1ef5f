import type { KeyboardEvent, RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import { useRoom } from "../chatContext";
import { composer } from "../composer/reply";
import type { ListRow } from "../log/listRows";
import { rowAround, rowOf } from "../log/rows";
import { useMessageMenu } from "./useMessageMenu";

/** Arrow keys move between rows and down to the message box, as Escape does. Enter or the menu key opens a menu. */
export function useRowKeys(
  rows: readonly ListRow[],
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
) {
  const { screen } = useRoom();
  const openMenu = useMessageMenu();

  function focus(at: number) {
    const row = rows[at];
    if (!row) return;
    list.current?.scrollToIndex(at + 1, { align: "nearest" });
    rowOf(scroller.current, row.key)?.focus({ preventScroll: true });
  }

  return function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = rowAround(event.target);
    const at = row ? rows.findLastIndex(({ key }) => key === row.dataset.row) : rows.length;
    const isLeaving = event.key === "Escape" && !screen.getState().membersShown;
    if (isLeaving || (event.key === "ArrowDown" && at >= rows.length - 1)) {
      event.preventDefault();
      composer()?.focus();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      focus(event.key === "ArrowUp" ? at - 1 : at + 1);
    } else if (row && event.target === row && event.key === "Enter") {
      event.preventDefault();
      openMenu(row);
    }
  };
}
