import { createStore } from "zustand/vanilla";

/** How long a notice is shown that one may miss, and one that should be read. */
const NEWS_MS = 2500;
const ERROR_MS = 4000;
/** Whoever wants to undo something has to read, to decide and to get there. */
const ACTION_MS = 10_000;
/** Good news that is longer than a line is shown for as long as it takes to read. */
const LETTER_MS = 60;

/** After this time a screen reader has begun to read a notice. */
const READ_OUT_MS = 1000;

export type Notice = {
  id: number;
  title: string;
  description?: string | undefined;
  isError: boolean;
  /** What can be done about it, as long as it is shown. */
  action?: { label: string; act: () => void } | undefined;
  ms: number;
  /** When it was first shown. */
  shownAt?: number;
};

/** A short message over the page. There is only one at a time: the newest. `NoticesHost` shows and announces it. */
export const notices = createStore<Notice | undefined>(() => undefined);

let count = 0;

/** For success: everything that went well and needs no page of its own is told in this way. */
export function showNotice(title: string, description?: string, action?: Notice["action"]) {
  const ms = action ? ACTION_MS : Math.max(NEWS_MS, LETTER_MS * `${title}${description ?? ""}`.length);
  add({ title, description, isError: false, action, ms });
}

/** For a failure. */
export function showError(title: string) {
  add({ title, isError: true, ms: ERROR_MS });
}

export function dismiss() {
  notices.setState(undefined, true);
}

/** Whether the notice was shown for long enough to be read out. */
export function wasReadOut({ shownAt = Date.now() }: Notice, now = Date.now()): boolean {
  return now - shownAt >= READ_OUT_MS;
}

/** Removes the notice when its page is left, unless it came with the navigation. */
export function dismissReadOut(now?: number) {
  const notice = notices.getState();
  if (notice && wasReadOut(notice, now)) dismiss();
}

function add(notice: Omit<Notice, "id">) {
  count += 1;
  notices.setState({ ...notice, id: count }, true);
}
