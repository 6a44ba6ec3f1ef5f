import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";

/** Draws a page in a router. `others` has the paths to which it may lead, each with the words of that page. */
export function renderPage(page: ReactElement, others: Record<string, string> = {}, path = "/") {
  const elsewhere = Object.entries(others).map(([to, words]) => ({ path: to, element: <p>{words}</p> }));
  const routes = [{ path, element: page }, ...elsewhere];
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return router;
}
