import type { Page } from "@playwright/test";

/** The headers of all a page asks for, sockets too, as they really went out. */
export async function recorded(page: Page) {
  const requests = new Map<string, { url?: string; headers?: Record<string, string> }>();
  const client = await page.context().newCDPSession(page);
  // The headers may be told before the address they went to.
  const add = (id: string, more: object) => requests.set(id, { ...requests.get(id), ...more });
  client.on("Network.requestWillBeSent", ({ requestId, request }) => add(requestId, { url: request.url }));
  client.on("Network.webSocketCreated", ({ requestId, url }) => add(requestId, { url }));
  client.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => add(requestId, { headers }));
  client.on("Network.webSocketWillSendHandshakeRequest", ({ requestId, request }) =>
    add(requestId, { headers: request.headers }),
  );
  await client.send("Network.enable");
  return () =>
    [...requests.values()].flatMap(({ url, headers = {} }) =>
      url ? [{ path: url.replace(/^\w+:\/\/[^/]+/, ""), headers }] : [],
    );
}
