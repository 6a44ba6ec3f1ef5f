import { StrictMode, startTransition } from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { keepEntries, watchEntries } from "@/shared/overlays";
import { nextTask } from "@/shared/tasks";
import { language } from "@/shared/text/language";
import { loadText } from "@/shared/text/text";
import { loadPage } from "./loadPage";
import { routes } from "./router";

type DataRouter = ReturnType<typeof createBrowserRouter>;

/** Draws the page of this address. `before` is what was drawn there: it stays until the page is ready. */
export async function startSite(container: HTMLElement, before?: Root) {
  // Running the router's modules has taken a while, and starting it takes as long again.
  await nextTask();

  // If the page's code can't be loaded, the router tries again and shows the failure. Words that can't be loaded stay
  // English.
  const words = loadText().then(
    () => true,
    () => false,
  );
  const [hasWords] = await Promise.all([words, loadPage(window.location.pathname).catch(() => {})]);
  document.documentElement.lang = language();

  // Outside React: the page that was asked for starts loading before anything is drawn.
  watchEntries();
  // The data is empty, but there: so the router leaves a page where its reader has scrolled to.
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: {} } });
  keepEntries(router);

  // The page of the server, or its frame, stays until the app has what it needs to draw the whole page.
  const wasSent = container.hasChildNodes();
  if (wasSent) await isReady(router);
  if (wasSent && !before && !container.querySelector("[data-frame]")) stayHere(router);

  const app = (
    <StrictMode>
      <RouterProvider router={inSlices(router)} />
    </StrictMode>
  );
  if (before) {
    before.unmount();
    flushSync(() => createRoot(container).render(app));
    return;
  }
  // React takes over a page in slices, so a slow phone can be scrolled and tapped in between. In a frame there is
  // nothing to tap, so what replaces it is drawn at once.
  if (hasWords && isSame(container, router)) startTransition(() => void hydrateRoot(container, app));
  else createRoot(container).render(app);
}

/**
 * Whoever has begun to read the server's page, or is pressing a link of it, stays where they are. The router would scroll
 * to the top. After a reload it still scrolls to where the page was left.
 */
function stayHere({ state }: DataRouter) {
  if (state.restoreScrollPosition === null) state.restoreScrollPosition = false;
}

/**
 * The router for React, which draws in slices and listens after the last. Until then the state is the one with which it
 * begins, and as soon as it listens it is told what has come in between: it would never hear of a Back otherwise.
 */
function inSlices(router: DataRouter): DataRouter {
  const first = router.state;
  let isHeard = false;
  const subscribe: DataRouter["subscribe"] = (listener) => {
    isHeard = true;
    const end = router.subscribe(listener);
    listener(router.state, { deletedFetchers: [], newErrors: null, flushSync: false });
    return end;
  };
  const state = { get: () => (isHeard ? router.state : first) };
  return Object.create(router, { state, subscribe: { value: subscribe } });
}

function isReady(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    const look = () => router.state.initialized && resolve();
    router.subscribe(look);
    look();
  });
}

/** Whether the server's page is what the app would draw for this visitor. */
function isSame(page: HTMLElement, router: DataRouter): boolean {
  const isStranger = document.documentElement.dataset.known === undefined && !window.history.state?.usr;
  const differs = `[data-frame], [data-answer]${isStranger ? "" : ", [data-stranger]"}`;
  // The router may have led elsewhere, or know an address that the server does not, whose page has no path.
  const path = router.state.errors ? null : router.state.matches.at(-1)?.route.path;
  const isPage = page.dataset.page === (path === "*" ? "" : path);
  // The landing page lists what this browser remembers: the server's page has none of it.
  const found = Object.values(router.state.loaderData);
  const hasLists = found.some((data) => typeof data === "object" && data !== null && "pruned" in data);
  return !hasLists && isPage && page.querySelector(differs) === null;
}
