/** A group is opened with one call, and a newcomer who opens it twice gets one seat. */
import type { Route } from "@playwright/test";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

test("a newcomer whose tap opens it twice is one member", async ({ context, group }) => {
  const asked: string[] = [];
  const seat = `/api${group.path}/seat`;
  const newTab = async () => {
    const page = withSteps(await context.newPage());
    // Without a timeout, the second page also waits for the first one on a slow machine.
    await page.addInitScript(() => {
      AbortSignal.timeout = () => new AbortController().signal;
    });
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (path.startsWith("/api/") && !path.endsWith("/socket")) asked.push(path);
    });
    return page;
  };
  const [one, two]: AppPage[] = [await newTab(), await newTab()];
  const held = new Promise<Route>((resolve) => void one.route(/\/seat$/, resolve));
  await one.goto(group.url);
  const first = await held;
  await two.goto(group.url);
  // The test checks that the second page asks nothing yet, so it waits for a moment.
  await two.waitForTimeout(500);
  expect(asked).toEqual([seat]);
  await first.continue();
  for (const page of [one, two]) await expect(page.button(/^1 of 1 here now/)).toBeVisible();
  expect(asked).toEqual([seat, seat]);
});
