import { type Build, Shell } from "./shell";

declare const self: ServiceWorkerGlobalScope;
/** The build adds this variable before the file. */
declare const BUILD: Build;

const shell = new Shell(BUILD, caches);

// A new version takes over immediately. Pages of the old version that miss a file reload themselves.
self.addEventListener("install", (event) => {
  event.waitUntil(shell.fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      shell.forgetOthers(),
      self.clients.claim(),
      // The browser requests a page while this worker starts, not after.
      self.registration.navigationPreload?.enable(),
    ]),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const kind = shell.kindOf(request, self.location.origin);
  if (kind === "file") event.respondWith(shell.file(request, () => fetch(request)));
  if (kind === "page") event.respondWith(shell.page(pageFromNetwork(event)));
});

async function pageFromNetwork({ preloadResponse, request }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}
