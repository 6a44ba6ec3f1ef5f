import { deviceStorage } from "@/shared/storage";
import { chatText } from "@/shared/text/chatText";
import type { Emoji } from "./model/chat";

const KEY = "annon.notify";

export function canNotify(): boolean {
  return typeof Notification !== "undefined";
}

/** Whether hidden rooms show notifications: switched on here, and allowed by the browser. */
export function notificationsAreOn(): boolean {
  return canNotify() && Notification.permission === "granted" && deviceStorage.getItem(KEY) === "on";
}

/** May ask for permission, so it has to be called from a tap. Resolves to true if notifications are on now. */
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

/** Says that a hidden room has a new message, but not its words: others can see a lock screen. */
export function notifyOf(room: { id: string; name: string }, sender: Emoji, meansMe: boolean) {
  if (!notificationsAreOn()) return;
  // With this tag a new notification of a room replaces the last one.
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
