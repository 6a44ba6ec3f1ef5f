/** What comes while no page is open: the service worker shows it, and a click leads to the page. */
import { CHROMIUM_ARGS, WHOLE_CHROMIUM } from "../support/chromium.ts";
import { expect, test } from "../support/test.ts";

// The other one shows no notifications.
test.use({ launchOptions: { executablePath: WHOLE_CHROMIUM, args: CHROMIUM_ARGS } });

test("a message is shown by the service worker, and a click opens the inbox", async ({
  page,
  account,
  context,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.goto("/settings");
  await page.sees(account.email);
  await page.keptByWorker();
  const client = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await client.send("ServiceWorker.enable");
  const registrationId = await registered;
  const origin = new URL(page.url()).origin;
  const deliver = (data: string) =>
    client.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, body, lang, tag }) => [title, body, lang, tag]);
    });

  const notification = {
    title: "Annon",
    body: "Somebody left you a note",
    lang: "en",
    tag: "note",
    navigate: `${origin}/homepage?tab=inbox`,
  };
  // A page is told once of each kind, however often it comes.
  for (let time = 0; time < 2; time += 1)
    await deliver(JSON.stringify({ web_push: 8030, kind: "note", notification }));
  await expect.poll(shown).toEqual([["Annon", "Somebody left you a note", "en", "note"]]);
  await deliver("what nobody can read");
  await expect.poll(async () => (await shown()).length).toBe(2);

  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error("no service worker");
  // Only a user's click may open a window or show another one, so what would be is noted.
  const clicked = await worker.evaluate(async () => {
    const scope = globalThis as unknown as Worker;
    const opened: string[] = [];
    scope.clients.openWindow = async (address) => {
      opened.push(address);
    };
    const [note] = await scope.registration.getNotifications({ tag: "note" });
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification: note }));
    for (let tries = 0; opened.length === 0 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return opened;
  });
  expect(clicked).toEqual([`${origin}/homepage?tab=inbox`]);
  await expect.poll(async () => (await shown()).length, "what was clicked is gone").toBe(1);
});

/** As much of a service worker as the test uses. */
type Worker = {
  clients: { openWindow: (address: string) => Promise<void> };
  registration: { getNotifications: (filter: { tag: string }) => Promise<unknown[]> };
  NotificationEvent: new (name: string, about: { notification: unknown }) => Event;
  dispatchEvent: (event: Event) => void;
};
