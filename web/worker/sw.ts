import { type Build, Shell } from "./shell";
import { pageAt, shownOf } from "./told";

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

// Something always is shown: a browser takes the permission away from who is told in silence.
self.addEventListener("push", (event) => {
  const { title, page, ...options } = shownOf(messageIn(event.data), self.location, self.navigator.language);
  const shown = { ...options, data: page, icon: "/icon-192.png", badge: "/icon-192.png" };
  event.waitUntil(self.registration.showNotification(title, shown));
});

function messageIn(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Shows a page: the one that is open, or a new one. */
async function open(page: string) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pageAt(pages, page);
  await (there ? there.focus() : self.clients.openWindow(page));
}
