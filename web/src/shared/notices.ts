import { createStore } from "zustand/vanilla";

/** How long what a person may miss is shown, and what they should have read. */
const NEWS_MS = 2500;
const ERROR_MS = 4000;

/** As many at a time; the oldest makes way. */
const SHOWN = 3;

export type Notice = {
  id: number;
  title: string;
  description?: string | undefined;
  isError: boolean;
  ms: number;
};

/** Short messages over the page, the newest first; `NoticesHost` shows and announces them. */
export const notices = createStore<readonly Notice[]>(() => []);

/** Those that were on the screen for long enough to be read out. */
export const heard = new WeakSet<Notice>();

let count = 0;

/** Something went well. */
export function tell(title: string, description?: string) {
  add({ title, description, isError: false, ms: NEWS_MS });
}

/** Something went wrong. */
export function complain(title: string) {
  add({ title, isError: true, ms: ERROR_MS });
}

export function dismiss(id: number) {
  notices.setState(
    notices.getState().filter((notice) => notice.id !== id),
    true,
  );
}

function add(notice: Omit<Notice, "id">) {
  count += 1;
  notices.setState([{ ...notice, id: count }, ...notices.getState()].slice(0, SHOWN), true);
}
