import "@/styles/tokens.css";
import "@/styles/base.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { keepEntries, watchEntries } from "@/shared/overlays";
import { nextTask } from "@/shared/tasks";
import { loadText } from "@/shared/text/text";
import { applyChosenTheme } from "@/shared/theme";
import { keepShell, reloadWhenOutdated } from "./offlineShell";
import { routes } from "./router";

applyChosenTheme();
keepShell();
reloadWhenOutdated(import.meta.url);

// Running the app's modules has taken a while, and starting the router takes as long again.
await nextTask();

// Outside React: the page that was asked for starts loading before anything is drawn.
watchEntries();
const router = createBrowserRouter(routes);
keepEntries(router);

const container = document.getElementById("app");
if (!container) throw new Error("index.html has no #app");

// If the words of another language can't be loaded, the page is shown in English.
await loadText().catch(() => {});

// React draws a transition in slices, so a slow phone can be scrolled and tapped in between.
startTransition(() => {
  createRoot(container).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
});
