/** How a group is opened: with one call, and by one person once. */
import type { Route } from "@playwright/test";
import { type AppPage, expect, test, withSteps } from "../support/test.ts";

test("a newcomer whose tap opens it twice is one member", async ({ context, group }) => {
  const asked: string[] = [];
  const seat = `/api${group.path}/seat`;
  const newTab = async () => {
    const page = withSteps(await context.newPage());
    // However slow the machine, it waits for its turn.
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
  // What must not be asked has had the time to.
  await two.waitForTimeout(500);
  expect(asked).toEqual([seat]);
  await first.continue();
  for (const page of [one, two]) await expect(page.button(/^1 of 1 here now/)).toBeVisible();
  expect(asked).toEqual([seat, seat]);
});
