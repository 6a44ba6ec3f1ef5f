import { matchRoutes } from "react-router-dom";
import { routes } from "./router";

/**
 * Loads the code of the page at an address, before a router is made of the routes. Otherwise the router would begin
 * with a fallback, and not with the page that the server has sent.
 */
export async function loadPage(path: string) {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === "function") Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}
