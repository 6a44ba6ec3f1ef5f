import { useEffectEvent, useLayoutEffect } from "react";

/**
 * What lies over a page (a dialog, a menu, the list of members) has a history entry while it is open, at the page's
 * own address: Back closes it, in every browser, and so does Escape, wherever the focus is. Closed in another way, it
 * takes its entry along.
 */
type Entry = { key?: string; idx?: number | null; overlays?: number };

/** What is used of the router, whose entries these are. */
type Router = {
  state: { location: { key: string } };
  navigate: (...to: never) => Promise<void>;
  revalidate: () => Promise<void>;
};

/** A traversal that leads nowhere fires no event, so nothing waits longer than this. */
const TRAVERSAL_MS = 1000;

/** How each open overlay is closed, the topmost last. */
let open: readonly (() => void)[] = [];

let router: Router | undefined;
let traversal: { over: Promise<void>; end: () => void } | undefined;
/** Set while the router leaves the page: overlays stay open without history entries. */
let isLeaving = false;

/** Has Back and Escape close what is open from the moment at which it can be seen, as long as it is drawn. */
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

/** What is nearer to the focus and has used the key, as a list of names does, goes first. */
function press(event: KeyboardEvent) {
  const close = open.at(-1);
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || !close) return;
  // A browser would close a dialog itself, and by then it would be the next one.
  event.preventDefault();
  close();
}

/**
 * Call it before there is a router: on a window, listeners are called in the order they came, and the router would take
 * the end of an overlay for a visit to the page, and load it anew.
 */
export function watchEntries() {
  nameEntry();
  window.addEventListener("popstate", arrive);
}

/** Gives the entry that was opened by address a key, as all others have one: two pages of a tab aren't one place. */
function nameEntry() {
  const entry = entryHere();
  if (entry.key !== undefined) return;
  const key = Math.random().toString(36).slice(2, 10);
  window.history.replaceState({ idx: null, ...entry, key }, "");
}

/**
 * Call it before the router is used. No navigation of the router's begins at an overlay's entry, nor does a page load
 * itself anew there: its loader may lead elsewhere.
 */
export function keepEntries(of: Router) {
  router = of;
  const navigate = of.navigate as (...to: unknown[]) => Promise<void>;
  const { revalidate } = of;
  of.navigate = (...to: unknown[]) => fromPage(() => navigate(...to));
  of.revalidate = () => fromPage(revalidate);
  settle();
}

function fromPage(work: () => Promise<void>): Promise<void> {
  return depth() === 0 && !traversal ? work() : leave(work);
}

function entryHere(): Entry {
  return window.history.state ?? {};
}

/** How many overlays this entry has below it, and with it. */
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

/**
 * Makes the number of history entries match the number of overlays: missing ones are pushed, and extra ones are gone
 * back from.
 */
function settle() {
  if (!router || traversal || isLeaving) return;
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
  // The same page: the router has nothing to do.
  if (entryHere().key === router?.state.location.key) event.stopImmediatePropagation();
  if (traversal) traversal.end();
  else for (const close of open.slice(depth()).reverse()) close();
  // This waits until the closed overlay is gone.
  setTimeout(settle);
}
