import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** The modal dialogs that are open, the topmost last. */
const openDialogs = createStore<readonly HTMLDialogElement[]>(() => []);

/** Where what has to be seen and heard belongs: whatever is outside the topmost dialog is inert, and so is silent. */
export function useTopmost(): HTMLElement {
  return useStore(openDialogs, (open) => open.at(-1)) ?? document.body;
}

/** Opens it over the page; what it gives back closes it, and the focus is where it was. */
export function openModally(dialog: HTMLDialogElement): () => void {
  if (openDialogs.getState().length === 0) holdPage();
  dialog.showModal();
  openDialogs.setState([...openDialogs.getState(), dialog], true);

  return () => {
    dialog.close();
    const left = openDialogs.getState().filter((open) => open !== dialog);
    openDialogs.setState(left, true);
    if (left.length > 0) return;
    releasePage();
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
function holdPage() {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
  style.overflow = "hidden";
}

function releasePage() {
  const { style } = document.documentElement;
  style.scrollbarGutter = "";
  style.overflow = "";
}
