import type { KeyboardEvent, RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import { useRoom } from "../chatContext";
import { composer } from "../composer/reply";
import { type ListRow, messagesOf } from "../log/listRows";
import { rowAround, rowOf } from "../log/rows";
import { useMessageMenu } from "./useMessageMenu";

const KEYS = ["Escape", "ArrowUp", "ArrowDown", "Enter"];

/** Arrow keys move between rows and down to the message box, as Escape does. Enter or the menu key opens a menu. */
export function useRowKeys(
  rows: readonly ListRow[],
  list: RefObject<VirtualizerHandle | null>,
  scroller: RefObject<HTMLElement | null>,
) {
  const { screen } = useRoom();
  const { openMenu } = useMessageMenu();

  /** What can have the focus: rows, and in a gallery each picture. */
  const stops = () =>
    rows.flatMap((row, at) => {
      const keys = row.kind === "gallery" ? messagesOf(row).map((message) => message.key) : [row.key];
      return keys.map((key) => ({ key, at }));
    });

  function focus(stop: { key: string; at: number } | undefined) {
    if (!stop) return;
    list.current?.scrollToIndex(stop.at + 1, { align: "nearest" });
    rowOf(scroller.current, stop.key)?.focus({ preventScroll: true });
  }

  return function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const row = rowAround(event.target);
    if (!KEYS.includes(event.key)) return;
    const all = stops();
    const at = row ? all.findLastIndex(({ key }) => key === row.dataset.row) : all.length;
    const isLeaving = event.key === "Escape" && !screen.getState().membersShown;
    if (isLeaving || (event.key === "ArrowDown" && at >= all.length - 1)) {
      event.preventDefault();
      composer()?.focus();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      focus(all[event.key === "ArrowUp" ? at - 1 : at + 1]);
    } else if (row && event.target === row && event.key === "Enter") {
      event.preventDefault();
      openMenu(row);
    }
  };
}
