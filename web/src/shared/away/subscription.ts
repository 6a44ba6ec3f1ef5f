/** This browser's subscription to web push: through it, it is told of things while no page is open. */
import { decoded, encoded } from "@/shared/base64url";

/** Why a browser can't be told: it doesn't know web push, only knows it as an installed app, or its user said no. */
export type Obstacle = "unsupported" | "uninstalled" | "blocked";

export function obstacle(): Obstacle | undefined {
  const knows =
    "serviceWorker" in navigator && "PushManager" in window && typeof Notification !== "undefined";
  if (!knows) return /iP(hone|ad|od)/.test(navigator.userAgent) ? "uninstalled" : "unsupported";
  return Notification.permission === "denied" ? "blocked" : undefined;
}

/** The user, or the browser, has said no. */
export class NotAllowed extends Error {}

/** The subscription that there is. */
export async function present(): Promise<PushSubscription | undefined> {
  const worker = await navigator.serviceWorker?.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? undefined;
}

/** The subscription that is bound to this key of the server. May ask for permission, so it is called from a tap. */
export async function subscribed(key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  const applicationServerKey = decoded(key);
  if (!applicationServerKey) throw new NotAllowed();
  const before = await present();
  if (before && isBoundTo(before, applicationServerKey)) return before;
  await before?.unsubscribe();
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

function isBoundTo({ options }: PushSubscription, key: Uint8Array): boolean {
  const bound = options.applicationServerKey;
  return bound !== null && encoded(new Uint8Array(bound)) === encoded(key);
}

/** By which the server names a subscription: half of the SHA-256 of its address. */
export async function idOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return encoded(new Uint8Array(digest).subarray(0, 16));
}

/** What the server needs to reach this browser, and to encrypt for it. */
export function addressOf(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}
