import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { dismissHeard } from "@/shared/notices";

/** The modal dialogs that are open, the topmost last. */
const openDialogs = createStore<readonly HTMLDialogElement[]>(() => []);

/** Where what has to be seen and heard belongs: whatever is outside the topmost dialog is inert, and so is silent. */
export function useTopmost(): HTMLElement {
  return useStore(openDialogs, (open) => open.at(-1)) ?? document.body;
}

/** What has the focus in a dialog that opens: what is to be written, or else the button that only closes it. */
const FIRST = "input:not([type=radio], [type=checkbox]), [data-first]";

/** Opens it over the page; what it gives back closes it, and the focus is where it was. */
export function openModally(dialog: HTMLDialogElement): () => void {
  if (openDialogs.getState().length === 0) holdPage(true);
  const first = dialog.querySelector<HTMLElement>(FIRST);
  if (first) first.autofocus = true;
  dialog.showModal();
  dismissHeard();
  openDialogs.setState([...openDialogs.getState(), dialog], true);

  return () => {
    dialog.close();
    const left = openDialogs.getState().filter((open) => open !== dialog);
    openDialogs.setState(left, true);
    if (left.length > 0) return;
    holdPage(false);
    // What opened it may be gone, as a note is that was deleted, and then the browser moves no focus.
    const { activeElement, body } = document;
    if (activeElement === body || dialog.contains(activeElement)) focusPage();
  };
}

/** Where a screen reader begins when the control it came from is no more. */
export function focusPage() {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** The page behind doesn't scroll, and where a scroll bar took room it stays taken. */
function holdPage(isHeld: boolean) {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = isHeld && window.innerWidth > clientWidth ? "stable" : "";
  style.overflow = isHeld ? "hidden" : "";
}
