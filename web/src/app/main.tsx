import "@/styles/tokens.css";
import "@/styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { applyChosenTheme } from "@/shared/theme";
import { routes } from "./router";

applyChosenTheme();

// Outside React: the page that was asked for starts loading before anything is drawn.
const router = createBrowserRouter(routes);

const container = document.getElementById("app");
if (!container) throw new Error("index.html has no #app");

createRoot(container).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
