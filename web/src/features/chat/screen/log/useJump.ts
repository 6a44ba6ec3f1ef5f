import { type MouseEvent, type RefObject, useRef } from "react";
import { showError } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom } from "../chatContext";
import { messagesOf, rowsOf } from "./listRows";
import { messageAt, rowOf } from "./rows";

const HIGHLIGHTED_MS = 2500;

/** Pressing a quote scrolls to the quoted message, unless it is in view, and highlights it for a moment. */
export function useJump(toRow: (at: number) => void, scroller: RefObject<HTMLElement | null>) {
  const { store, actions, screen } = useRoom();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  return async function jump({ target }: MouseEvent) {
    const quote = target instanceof Element ? target.closest<HTMLElement>("[data-quote]") : null;
    if (!quote) return;
    const seq = Number(quote.dataset.quote);
    if (!(await actions.reach(seq))) {
      showError(chatText.screen.message.gone);
      return;
    }
    // Loaded rows have to be drawn first.
    await nextFrame();
    const rows = rowsOf(store.getState().lines);
    const at = rows.findIndex((row) => messagesOf(row).some((message) => message.seq === seq));
    const key = messageAt(store.getState(), seq)?.key;
    if (key === undefined) return;
    // The list of members may cover it.
    screen.setState({ highlighted: key, membersShown: false });
    if (!isInView(rowOf(scroller.current, key), scroller.current)) toRow(at + 1);
    await nextFrame();
    rowOf(scroller.current, key)?.focus({ preventScroll: true });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => screen.setState({ highlighted: undefined }), HIGHLIGHTED_MS);
  };
}

function isInView(row: HTMLElement | null, log: HTMLElement | null): boolean {
  if (!row || !log) return false;
  const [is, seen] = [row.getBoundingClientRect(), log.getBoundingClientRect()];
  return is.top >= seen.top && is.bottom <= seen.bottom;
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
