import { tabStorage } from "@/shared/storage";

/** The first page and what it loads by itself have the network to themselves for so long. */
const REGISTER_AFTER_MS = 3000;

const RELOADED_FOR = "reloaded-for";

/** Has the app kept by a service worker, so that it opens without a network. The first page doesn't wait for it. */
export function keepShell() {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Without a worker, everything but the start without a network works as well. Where site data is blocked, to ask for
  // one may throw at once.
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

/** Where no plain string may become code, the one address that may has to be vouched for. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("annon-worker", { createScriptURL: () => WORKER });
  return policy ? policy.createScriptURL(WORKER) : WORKER;
}

/**
 * A page of an old version may ask for a file that went with it. Loading the page anew gets the new version; once for
 * each, so that a file that is missing for another reason is told and not asked for for ever; not at all where the tab
 * can't remember that it was done.
 */
export function reloadWhenOutdated(version: string) {
  window.addEventListener("vite:preloadError", () => {
    if (tabStorage.getItem(RELOADED_FOR) === version) return;
    if (!tabStorage.setItem(RELOADED_FOR, version)) return;
    // Not at once: the router writes the address that was asked for when it learns of the failure.
    setTimeout(() => window.location.reload());
  });
}
