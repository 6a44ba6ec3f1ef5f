import { vi } from "vitest";

/** Where a browser is reached that subscribes in a test. */
export const ENDPOINT = "https://push.example/a";

/** A browser that knows web push. Its user answers the question for permission with `permission`. */
export function pushBrowser(permission: NotificationPermission = "granted") {
  let bound: Uint8Array | undefined;
  const subscription = () =>
    bound && {
      endpoint: ENDPOINT,
      options: { applicationServerKey: bound.buffer },
      toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: async () => {
        bound = undefined;
      },
    };
  const pushManager = {
    getSubscription: async () => subscription(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      bound = applicationServerKey;
      return subscription();
    },
  };
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission: "default", requestPermission: async () => permission });
  const worker = { pushManager };
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { ready: Promise.resolve(worker), getRegistration: async () => worker },
  });
}

export function forgetPushBrowser() {
  Reflect.deleteProperty(navigator, "serviceWorker");
}
