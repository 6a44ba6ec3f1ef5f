import { type RefObject, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { complain } from "@/shared/notices";
import { chatText } from "@/shared/text/chatText";
import { useRoom } from "./chatContext";
import { rowOf } from "./rows";

const MARKED_MS = 2500;

/** Leads to the message that a quote is of, and marks it for a moment. */
export function useJump(list: RefObject<VirtualizerHandle | null>, scroller: RefObject<HTMLElement | null>) {
  const { store, actions, screen } = useRoom();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  return async function jump(seq: number) {
    if (!(await actions.reach(seq))) {
      complain(chatText.screen.message.gone);
      return;
    }
    // What was loaded on the way is drawn first.
    await nextFrame();
    const { lines } = store.getState();
    const at = lines.findIndex((line) => line.seq === seq);
    const key = lines[at]?.key;
    if (key === undefined) return;
    screen.setState({ atEnd: false, marked: key });
    list.current?.scrollToIndex(at + 1, { align: "center" });
    await nextFrame();
    rowOf(scroller.current, key)?.focus({ preventScroll: true });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => screen.setState({ marked: undefined }), MARKED_MS);
  };
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
