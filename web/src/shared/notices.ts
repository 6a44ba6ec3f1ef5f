import { Toast } from "@base-ui/react/toast";

/** How long what a person may miss is shown, and what they should have read. */
const NEWS_MS = 2500;
const ERROR_MS = 4000;

type Notice = { title: string; description?: string | undefined; type: "news" | "error" };

/** Short messages over the page; `NoticesHost` shows and announces them. */
export const notices = Toast.createToastManager();

/** What was said before anything was drawn, by a loader; undefined once the host is there. */
let waiting: Notice[] | undefined = [];

/** Something went well. */
export function tell(title: string, description?: string) {
  add({ title, description, type: "news" });
}

/** Something went wrong. */
export function complain(title: string) {
  add({ title, type: "error" });
}

/** The host is mounted. */
export function hostIsReady() {
  const late = waiting ?? [];
  waiting = undefined;
  for (const notice of late) add(notice);
}

function add(notice: Notice) {
  if (waiting) {
    waiting.push(notice);
    return;
  }
  const isError = notice.type === "error";
  notices.add({ ...notice, timeout: isError ? ERROR_MS : NEWS_MS, priority: isError ? "high" : "low" });
}
