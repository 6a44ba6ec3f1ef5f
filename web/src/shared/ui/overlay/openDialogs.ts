import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { dismissReadOut } from "@/shared/notices";

/** The modal dialogs that are open, the topmost last. */
const openDialogs = createStore<readonly HTMLDialogElement[]>(() => []);

/** The topmost dialog, or the page. Elements outside of it can't be used and are not read out. */
export function useTopmost(): HTMLElement {
  return useStore(openDialogs, (open) => open.at(-1)) ?? document.body;
}

/** What gets the focus in a dialog that opens: a text field, or else the button that only closes it. */
const FIRST = "input:not([type=radio], [type=checkbox]), textarea, [data-first]";

/** Opens the dialog over the page. The returned function closes it and gives the focus back. */
export function openModally(dialog: HTMLDialogElement): () => void {
  if (openDialogs.getState().length === 0) holdPage(true);
  const first = dialog.querySelector<HTMLElement>(FIRST);
  if (first) first.autofocus = true;
  dialog.showModal();
  dismissReadOut();
  openDialogs.setState([...openDialogs.getState(), dialog], true);

  return () => {
    dialog.close();
    const left = openDialogs.getState().filter((open) => open !== dialog);
    openDialogs.setState(left, true);
    if (left.length > 0) return;
    holdPage(false);
    // The element that opened it may be gone, like a deleted note. Then the browser moves no focus.
    const { activeElement, body } = document;
    if (activeElement === body || dialog.contains(activeElement)) focusPage();
  };
}

/** Puts the focus on the page, for when the control that had it is gone. */
export function focusPage() {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Stops the page behind from scrolling, without making it wider when its scroll bar disappears. */
function holdPage(isHeld: boolean) {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = isHeld && window.innerWidth > clientWidth ? "stable" : "";
  style.overflow = isHeld ? "hidden" : "";
}
