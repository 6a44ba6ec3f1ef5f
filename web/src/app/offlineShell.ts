import { tabStorage } from "@/shared/storage";
import { workerAddress } from "@/shared/workerAddress";

/** The service worker is registered after this time, so that the first page loads alone. */
const REGISTER_AFTER_MS = 3000;

const RELOADED_FOR = "reloaded-for";

/** Lets a service worker keep the app, so that it opens without a network. The first page does not wait for it. */
export function keepShell() {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Without a worker everything works except a start without a network. If site data is blocked, registering a worker
  // may throw immediately.
  const ask = async () => navigator.serviceWorker.register(workerAddress(WORKER));
  const register = () => setTimeout(() => ask().catch(() => {}), REGISTER_AFTER_MS);
  // A group's page can be loaded before the app has started.
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register);
}

const WORKER = "/sw.js";

/**
 * A page of an old version may ask for a file that is gone. Then the page is reloaded, to get the new version. That
 * happens once for each file: a file that is missing for another reason would cause endless reloads. If the tab can't
 * remember that it was reloaded, it is not reloaded.
 */
export function reloadWhenOutdated(version: string) {
  window.addEventListener("vite:preloadError", () => {
    if (tabStorage.getItem(RELOADED_FOR) === version) return;
    if (!tabStorage.setItem(RELOADED_FOR, version)) return;
    // Later: when the router learns of the failure, it first writes the new page's address.
    setTimeout(() => window.location.reload());
  });
}
