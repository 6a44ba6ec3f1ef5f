/** Pages without a network, and after the network is back. */
import { link } from "../support/page.ts";
import { sendNotes } from "../support/people.ts";
import { expect, test } from "../support/test.ts";

test("a form keeps what was typed, for this person and in this tab, until it is sent", async ({
  page,
  context,
  person,
  group,
}) => {
  const words = page.getByLabel("Your anonymous note");
  const isKept = () => expect(words).toHaveValue("Written on a train, twice if need be.");
  await page.goto(`/${person.username}`);
  await words.fill("Written on a train, twice if need be.");
  await page.goto(`/${group.host.username}`);
  await expect(words).toHaveValue("");
  await page.goto(`/${person.username}`);
  await isKept();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await context.setOffline(true);
  await page.button("Send it").click();
  await page.sees("You’re offline. Check your connection and try again.");
  await isKept();
  await context.setOffline(false);
  // The form also keeps the words when the server says that this person doesn't exist any more.
  for (const call of ["annon/*", "annon-message"])
    await page.answers(`**/api/${call}`, 404, { code: "no_such_person" });
  await page.button("Send it").click();
  await page.sees(`${person.username} has deleted their account.`);
  await isKept();
  await page.unrouteAll();
  await page.button("Send it").click();
  await page.sees(`Anonymous Message Sent to ${person.username}`);
  const left = await page.evaluate(() => Object.keys(sessionStorage));
  expect(left.filter((key) => key.startsWith("annon."))).toEqual([]);
});

test("the app opens without a network, and comes back with it", async ({ page, context, account }) => {
  await sendNotes(account, "Sent before.");
  await page.goto("/homepage?tab=groups");
  await expect(page.heading("My Groups")).toBeVisible();
  await page.keptByWorker();

  await context.setOffline(true);
  await page.reload();
  await page.goto("/about");
  await expect(page.heading("About us")).toBeVisible();
  await page.goto("/homepage?tab=inbox");
  await page.sees("You’re offline.");
  await sendNotes(account, "Sent while you were away.");
  await context.setOffline(false);
  await page.sees("Sent while you were away.");
  await expect(page.getByText("You’re offline.")).toHaveCount(0);

  // Notes stay visible when the network is lost, and new notes are shown when it is back.
  await context.setOffline(true);
  await page.sees(/^You’re offline. This is your inbox as of/);
  await page.sees("Sent before.");
  await context.setOffline(false);
  await expect(page.getByText("You’re offline.")).toHaveCount(0);
  await sendNotes(account, "After the tunnel.");
  await page.sees("After the tunnel.");
  await expect(page.cards).toHaveCount(3);
});

for (const [missing, times] of [
  ["for a moment", 2],
  ["for good", 2],
  ["for good, in a tab that can’t remember it", 1],
] as const) {
  test(`a page that misses a file of its version loads itself again: ${missing}`, async ({ page }) => {
    let visits = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) visits += 1;
    });
    if (times === 1) await page.addInitScript("Storage.prototype.setItem = () => { throw new Error(); };");
    await page.goto("/");
    await page.takenOver();
    const isBack = missing === "for a moment";
    const gone = { status: 404, body: "There is no such file.\n" };
    await page.route("**/assets/reading-*.js", (route) =>
      isBack && visits === 2 ? route.continue() : route.fulfill(gone),
    );
    await link(page.getByRole("navigation"), "About us").first().click();
    await expect.poll(() => visits).toBe(times);
    await expect(page.heading(isBack ? "About us" : /^Unexpected/)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/about");
    // Another reload would follow soon, so the test waits for a moment.
    await page.waitForTimeout(300);
    expect(visits).toBe(times);
  });
}
