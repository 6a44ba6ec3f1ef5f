/**
 * Draws the pages when the app is built. This is the program of Vite's server build: it writes a file for each
 * language, which `build.rs` puts into the server.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom";
import { NOBODY } from "@/features/note/Nobody";
import { paths } from "@/shared/contract/pages";
import { appText } from "@/shared/text/appText";
import { duration } from "@/shared/text/failureText";
import { language, languages } from "@/shared/text/language";
import { loadText } from "@/shared/text/text";
import { loadPage } from "./loadPage";
import { routes } from "./router";

const FOLDER = "dist/.pages";

/** No route has this address, so it gets the page for what isn't there. */
const MISSING = "/no/such/page";

/** How a report can stand, as the server names it; and that it doesn't say so now. */
const STANDINGS = ["waits", "looked_at", "closed", "unknown", "refused"];

/** Pages that are drawn by the query as well. */
const QUERIES: Record<string, string[]> = {
  [paths.home]: ["?tab=inbox", "?tab=groups"],
  // The server's answers to the form, for browsers without scripts.
  [paths.user]: ["?sent", "?refused", NOBODY],
  [paths.report]: ["?sent", "?refused", ...STANDINGS.map((state) => `?standing=${state}`)],
  [paths.mailEnd]: ["?sent", "?refused"],
  // Where not everybody can sign up.
  [paths.signup]: ["?invitation", "?closed"],
  [paths.answer]: ["?gone", "?later"],
  [paths.roomFull]: ["?why=locked", "?why=kicked", "?why=left", "?why=deleted"],
};

/** The page's HTML. Parameters of the address are drawn as `{name}`; the server replaces them. */
async function draw(address: string): Promise<string> {
  const { pathname, search } = new URL(address, "http://server");
  await loadPage(pathname);
  const { query, dataRoutes } = createStaticHandler(routes);
  const request = new Request(new URL(pathname + search, "http://server"));
  // What needs an account or a seat has a fallback, the page's frame.
  const context = await query(request, { filterMatchesToLoad: ({ route }) => !route.hydrateFallbackElement });
  if (context instanceof Response) throw new Error(`${address} leads to ${context.headers.get("Location")}`);
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouterProvider
        context={context}
        hydrate={false}
        router={createStaticRouter(dataRoutes, context)}
      />
    </StrictMode>,
    {
      // Otherwise a large part of a page would come at its end, with a script that puts it in its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        throw error;
      },
    },
  );
  return new Response(prelude).text();
}

async function drawAll() {
  await loadText();
  const pages: Record<string, string> = {};
  for (const path of [...Object.values(paths), MISSING]) {
    for (const query of ["", ...(QUERIES[path] ?? [])]) {
      const address = path + query;
      pages[path === MISSING ? "" : address] = await draw(path.replace(/:(\w+)/g, "{$1}") + query);
    }
  }
  const waits = [1, 2, 2 * 60].map((seconds) => duration(seconds).replace("2", "{count}"));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    `${FOLDER}/${language()}.json`,
    JSON.stringify({ pages, sentences: appText.codes, waits }, null, 1),
  );
}

if (isMainThread) {
  // The modules of words load one language, so each language is drawn by a thread of its own.
  for (const LANGUAGE of Object.keys(languages)) {
    new Worker(new URL(import.meta.url), { env: { ...process.env, ANNON_LANGUAGE: LANGUAGE } });
  }
} else {
  await drawAll();
}
