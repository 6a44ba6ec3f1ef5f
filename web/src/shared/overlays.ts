import { useEffectEvent, useLayoutEffect } from "react";

/**
 * An overlay (a dialog, a menu, the list of members) has a history entry of its own while it is open, at the page's
 * address. Back closes it, and so does Escape, wherever the focus is. If it is closed in another way, its entry is
 * removed.
 */
type Entry = { key?: string; idx?: number | null; overlays?: number };

/** The part of the router that is used here. A page that was opened without a router has something in its place. */
export type Router = {
  state: { location: { key: string } };
  navigate: (...to: never) => Promise<void>;
  revalidate: () => Promise<void>;
};

/** A traversal that leads nowhere fires no event, so this is the longest wait for one. */
const TRAVERSAL_MS = 1000;

/** The functions that close the open overlays, the topmost overlay last. */
let open: readonly (() => void)[] = [];

let router: Router | undefined;
let traversal: { over: Promise<void>; end: () => void } | undefined;
/** Set while the router leaves the page: overlays stay open without history entries. */
let isLeaving = false;

/** While the calling component is drawn, Back and Escape call `onClose`. */
export function useOverlay(onClose: () => void) {
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const one = () => close();
    open = [...open, one];
    window.addEventListener("keydown", press);
    setTimeout(settle);
    return () => {
      open = open.filter((other) => other !== one);
      setTimeout(settle);
    };
  }, []);
}

/** Closes the topmost overlay on Escape, unless an element near the focus has used the key. */
function press(event: KeyboardEvent) {
  const close = open.at(-1);
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || !close) return;
  // Otherwise the browser would then close a dialog by itself: the next one.
  event.preventDefault();
  close();
}

/**
 * Call it before the router is created. A window calls listeners in the order in which they were added, and the router
 * would take the end of an overlay for a visit to the page, and load that again.
 */
export function watchEntries() {
  nameEntry();
  window.addEventListener("popstate", arrive);
}

/** Gives a key to the entry that was opened by its address, so that no two entries of a tab are equal. */
function nameEntry() {
  const entry = entryHere();
  if (entry.key !== undefined) return;
  const key = Math.random().toString(36).slice(2, 10);
  window.history.replaceState({ idx: null, ...entry, key }, "");
}

/**
 * Call it before the router is used. Makes it leave the overlays' entries before it navigates, or loads the page again
 * (the page's loader may lead elsewhere).
 */
export function keepEntries(of: Router) {
  router = of;
  const navigate = of.navigate as (...to: unknown[]) => Promise<void>;
  const { revalidate } = of;
  of.navigate = async (...to: unknown[]) => {
    const go = () => fromPage(() => navigate(...to));
    if (guard && typeof to[0] !== "number") guard(() => void go());
    else await go();
  };
  of.revalidate = () => fromPage(revalidate);
  settle();
}

/** Asks before the page is left for another one of the app. It gets what leads there. */
let guard: ((leave: () => void) => void) | undefined;

/** Returns what ends it. */
export function guardPage(ask: (leave: () => void) => void): () => void {
  guard = ask;
  return () => {
    guard = undefined;
  };
}

/** Leads to another page of the app, as a link does. */
export async function goTo(to: string, how: { replace?: boolean; state?: object } = {}) {
  await (router?.navigate as ((to: string, how: object) => Promise<void>) | undefined)?.(to, how);
}

/** Loads the data of this page again. */
export async function loadAgain() {
  await router?.revalidate();
}

function fromPage(work: () => Promise<void>): Promise<void> {
  return depth() === 0 && !traversal ? work() : leave(work);
}

function entryHere(): Entry {
  return window.history.state ?? {};
}

/** The path that a page has got since it was opened, for each of its entries. */
let address: { key: string | undefined; path: string } | undefined;

/** Gives this page another path, which may end with a "#" and what stands behind it. The page stays as it is. */
export function readdress(path: string) {
  address = { key: entryHere().key, path };
  settle();
}

/** How many overlays are open at this entry. */
function depth(): number {
  return entryHere().overlays ?? 0;
}

async function leave(navigate: () => Promise<void>) {
  isLeaving = true;
  await traversal?.over;
  if (depth() > 0) await traverse(-depth());
  await navigate().finally(() => {
    isLeaving = false;
    settle();
  });
}

/** Makes the number of history entries equal to the number of overlays: pushes missing ones, goes back from others. */
function settle() {
  if (!router || traversal || isLeaving) return;
  const { pathname, hash } = window.location;
  if (address?.key === entryHere().key && address && pathname + hash !== address.path) {
    window.history.replaceState(window.history.state, "", address.path);
  }
  if (depth() > open.length) void traverse(open.length - depth());
  while (depth() < open.length) window.history.pushState({ ...entryHere(), overlays: depth() + 1 }, "");
}

function traverse(by: number): Promise<void> {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = () => {
      clearTimeout(patience);
      traversal = undefined;
      resolve();
    };
  });
  const patience = setTimeout(end, TRAVERSAL_MS);
  traversal = { over, end };
  window.history.go(by);
  return over;
}

function arrive(event: PopStateEvent) {
  nameEntry();
  // It is the same page, so the router must not act.
  if (entryHere().key === router?.state.location.key) event.stopImmediatePropagation();
  if (traversal) traversal.end();
  else for (const close of open.slice(depth()).reverse()) close();
  // This waits until the closed overlay is gone.
  setTimeout(settle);
}
