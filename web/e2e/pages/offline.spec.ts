/** Pages without a network, and when it comes back. */
import { link } from "../support/page.ts";
import { sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("a form keeps what was typed when the network is gone", async ({ page, context, person }) => {
  await page.goto(`/${person.username}`);
  const words = page.getByLabel("Your anonymous message");
  await words.fill("Written on a train, twice if need be.");
  await context.setOffline(true);
  await page.button("Send it").click();
  await page.sees("You’re offline. Check your connection and try again.");
  await expect(words).toHaveValue("Written on a train, twice if need be.");
  await context.setOffline(false);
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
});

test("the app opens without a network, and comes back with it", async ({ page, context, account }) => {
  await sendNotes(account, "Nothing of me may be kept.");
  await page.goto("/homepage?tab=inbox");
  await page.sees("Nothing of me may be kept.");
  await page.keptByWorker();

  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain("/");
  expect(kept.length).toBeGreaterThan(20);
  const isOfTheApp = /^\/(assets\/[\w-]+\.\w+|favicon\.svg|manifest\.webmanifest)?$/;
  expect(kept.filter((path) => !isOfTheApp.test(path))).toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await page.sees("You’re offline.");
  await expect(page.getByText("Nothing of me may be kept.")).toHaveCount(0);
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  await page.goto("/homepage?tab=inbox");
  await page.sees("You’re offline.");
  await sendNotes(account, "Sent while you were away.");
  await context.setOffline(false);
  await page.sees("Sent while you were away.");
  await expect(page.getByText("You’re offline.")).toHaveCount(0);

  // What is shown stays when the network goes, and what comes is shown again afterwards.
  await context.setOffline(true);
  await page.sees("You’re offline. This may be out of date");
  await page.sees("Nothing of me may be kept.");
  await context.setOffline(false);
  await expect(page.getByText("You’re offline.")).toHaveCount(0);
  await sendNotes(account, "After the tunnel.");
  await page.sees("After the tunnel.");
  await expect(page.cards).toHaveCount(3);
});

test("a page that misses a file of its version loads the new one", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  let asked = 0;
  await page.route("**/assets/reading-*.js", (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404, body: "There is no such file.\n" }) : route.continue();
  });
  await link(page.getByRole("navigation"), "About us").first().click();
  await expect(page.heading("About us")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/about");
  expect(asked).toBe(2);
});
