import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/base.css";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { keepEntries, watchEntries } from "@/shared/overlays";
import { nextTask } from "@/shared/tasks";
import { language } from "@/shared/text/language";
import { loadText } from "@/shared/text/text";
import { applyChosenTheme } from "@/shared/theme";
import { loadPage } from "./loadPage";
import { keepShell, reloadWhenOutdated } from "./offlineShell";
import { routes } from "./router";

applyChosenTheme();
keepShell();
reloadWhenOutdated(import.meta.url);

// Running the app's modules has taken a while, and starting the router takes as long again.
await nextTask();

const container = document.getElementById("app");
if (!container) throw new Error("index.html has no #app");

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

const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
);

// The page of the server, or its frame, stays until the app has what it needs to draw the whole page.
if (container.hasChildNodes()) await isReady();

// React takes over a page in slices, so a slow phone can be scrolled and tapped in between. In a frame there is nothing
// to tap, so what replaces it is drawn at once.
if (isSame(container)) startTransition(() => void hydrateRoot(container, app));
else createRoot(container).render(app);

function isReady(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => router.state.initialized && resolve();
    router.subscribe(look);
    look();
  });
}

/** Whether the server's page is what the app would draw for this visitor. */
function isSame(page: HTMLElement): boolean {
  const isStranger = document.documentElement.dataset.known === undefined && !window.history.state?.usr;
  const differs = `[data-frame], [data-answer]${isStranger ? "" : ", [data-stranger]"}`;
  // The router may have led elsewhere, or know an address that the server does not, whose page has no path.
  const path = router.state.errors ? null : router.state.matches.at(-1)?.route.path;
  const isPage = page.dataset.page === (path === "*" ? "" : path);
  // The landing page lists what this browser remembers: the server's page has none of it.
  const found = Object.values(router.state.loaderData);
  const hasLists = found.some((data) => typeof data === "object" && data !== null && "pruned" in data);
  return hasWords && !hasLists && isPage && page.querySelector(differs) === null;
}
