import { createStore } from "zustand/vanilla";

/** How long what a person may miss is shown, and what they should have read. */
const NEWS_MS = 2500;
const ERROR_MS = 4000;

/** By then a screen reader has begun with it. */
const HEARD_MS = 1000;

export type Notice = {
  id: number;
  title: string;
  description?: string | undefined;
  isError: boolean;
  ms: number;
  /** When it came to the screen. */
  shownAt?: number;
};

/** A short message over the page: one at a time, for the newest is what counts. `NoticesHost` shows and announces it. */
export const notices = createStore<Notice | undefined>(() => undefined);

let count = 0;

/** Something went well. */
export function showNotice(title: string, description?: string) {
  add({ title, description, isError: false, ms: NEWS_MS });
}

/** Something went wrong. */
export function showError(title: string) {
  add({ title, isError: true, ms: ERROR_MS });
}

export function dismiss() {
  notices.setState(undefined, true);
}

/** Whether it was on the screen for long enough to be read out. */
export function isHeard({ shownAt = Date.now() }: Notice, now = Date.now()): boolean {
  return now - shownAt >= HEARD_MS;
}

/** The page that the notice belongs to is left: the notice goes, unless it came with the navigation. */
export function dismissHeard(now?: number) {
  const notice = notices.getState();
  if (notice && isHeard(notice, now)) dismiss();
}

function add(notice: Omit<Notice, "id">) {
  count += 1;
  notices.setState({ ...notice, id: count }, true);
}
