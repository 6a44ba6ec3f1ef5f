import { tabStorage } from "@/shared/storage";

/** For this long the first page has the network to itself. */
const REGISTER_AFTER_MS = 3000;

const RELOADED_FOR = "reloaded-for";

/** Has the app kept by a service worker, so that it opens without a network. The first page doesn't wait for it. */
export function keepShell() {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Without a worker everything works but a start without a network. Where site data is blocked, registering one may
  // throw at once.
  const ask = async () => navigator.serviceWorker.register(workerAddress());
  const register = () => setTimeout(() => ask().catch(() => {}), REGISTER_AFTER_MS);
  // A group's page may be loaded before it has the app started.
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register);
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (_: string) => string };
};

const WORKER = "/sw.js";

/** Trusted types allow no plain string as a script's address, so a policy vouches for this one. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("annon-worker", { createScriptURL: () => WORKER });
  return policy ? policy.createScriptURL(WORKER) : WORKER;
}

/**
 * A page of an old version may ask for a file that is gone. Then the page is reloaded and gets the new version: once
 * for each file, or one that is missing for another reason would be asked for for ever; and not at all where the tab
 * can't remember that it has reloaded.
 */
export function reloadWhenOutdated(version: string) {
  window.addEventListener("vite:preloadError", () => {
    if (tabStorage.getItem(RELOADED_FOR) === version) return;
    if (!tabStorage.setItem(RELOADED_FOR, version)) return;
    // Not at once: the router writes the address that was asked for when it learns of the failure.
    setTimeout(() => window.location.reload());
  });
}
