import { deviceStorage } from "@/shared/storage";
import { chatText } from "@/shared/text/chatText";
import type { Emoji } from "./model/chat";

const KEY = "annon.notify";

export function canNotify(): boolean {
  return typeof Notification !== "undefined";
}

/** Whether hidden rooms tell of news: wished here, and allowed by the browser. */
export function notificationsAreOn(): boolean {
  return canNotify() && Notification.permission === "granted" && deviceStorage.getItem(KEY) === "on";
}

/** Call it on a tap only: it may ask. Gives whether they are on now. */
export async function startNotifying(): Promise<boolean> {
  if (!canNotify()) return false;
  const permission =
    Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  if (permission !== "granted") return false;
  deviceStorage.setItem(KEY, "on");
  return notificationsAreOn();
}

export function stopNotifying() {
  deviceStorage.removeItem(KEY);
}

/** Something new in a room nobody looks at. Never what was said: a lock screen has other readers. */
export function notifyOf(room: { id: string; name: string }, sender: Emoji, meansMe: boolean) {
  if (!notificationsAreOn()) return;
  // One per room, whatever else comes.
  const options = { body: sender, tag: `annon-${room.id}`, icon: "/icon-192.png" };
  const words = chatText.model;
  const title = meansMe ? words.mentioned(room.name) : words.notification(room.name);
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Phones show notifications through a service worker only.
    void Promise.resolve()
      .then(() => navigator.serviceWorker?.getRegistration())
      .then((worker) => worker?.showNotification(title, options))
      .catch(() => {});
  }
}
