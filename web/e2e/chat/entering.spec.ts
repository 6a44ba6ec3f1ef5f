/**
 * Somebody enters a group on a slow phone. Nothing moves: every part of the page has its space from the first frame on.
 * What is written at once is kept, and the router with the other pages comes when the group is left.
 */
import { type AppPage, expect, test } from "../support/test.ts";

type Shift = { value: number; at: number; moved: string[] };

/** Records the layout shifts that no input has caused, from now on and on a slow phone. */
async function watchShifts(page: AppPage) {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    type Entry = PerformanceEntry & {
      value: number;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Entry[])
        shifts.push({
          value,
          at: startTime,
          moved: sources.map(({ node, previousRect, currentRect }) => {
            const places = [previousRect, currentRect].map(({ x, y, width, height }) =>
              [x, y, width, height].join(" "),
            );
            return `${(node as Element | null)?.outerHTML?.slice(0, 200)}: ${places.join(" to ")}`;
          }),
        });
    }).observe({ type: "layout-shift", buffered: true });
  });
  await slowDown(page);
}

/** From now on the page is on a slow phone. */
async function slowDown(page: AppPage) {
  const phone = await page.context().newCDPSession(page);
  await phone.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await phone.send("Network.enable");
  await phone.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
}

async function expectNoShift(page: AppPage) {
  // Something could also move late, so the test waits.
  await page.waitForTimeout(2500);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThanOrEqual(0.01);
}

for (const [what, count] of [
  ["a new group", 0],
  ["a group in which little was said", 3],
  ["a group with a long talk", 60],
] as const) {
  test(`${what}: nothing moves when somebody enters it, or comes back`, async ({ page, group, seats }) => {
    const [talker] = count > 0 ? await seats(group, 1) : [];
    await talker?.talk(count);
    await watchShifts(page);
    await page.goto(group.url);
    await page.canTalk();
    await expectNoShift(page);
    await page.reload();
    await page.canTalk();
    await expectNoShift(page);
  });
}

test("what is drawn before the rest of the page has come stays where it is", async ({ page, group }) => {
  // The scripts never come, so what the server has drawn stays.
  await page.route("**/*.js", () => {});
  await page.goto(group.url, { waitUntil: "commit" });
  const wheel = page.locator("main .loader.wheel");
  await expect(wheel).toBeVisible();
  const frame = page.locator("main > .page");
  const place = await frame.boundingBox();
  await wheel.evaluate((wheel) => wheel.remove());
  expect(await frame.boundingBox()).toEqual(place);
});

test("what is written and sent as soon as one can is sent once, and the field keeps the focus", async ({
  page,
  group,
}) => {
  await slowDown(page);
  await page.goto(group.url, { waitUntil: "commit" });
  await page.box.focus();
  await page.keyboard.type("first!");
  await page.keyboard.press("Enter");
  await page.keyboard.type("half a word");
  for (let back = 0; back < 4; back += 1) await page.keyboard.press("ArrowLeft");
  await expect(page.sent("first!")).toBeVisible();
  // All that comes after the first messages is there.
  await expect(page.region("Notices")).toBeAttached();
  await page.canTalk();
  await expect(page.messages).toHaveText(["first!"]);
  await expect(page.box).toBeFocused();
  await expect(page.box).toHaveValue("half a word");
  expect(await page.box.evaluate((box: HTMLTextAreaElement) => box.selectionStart)).toBe(7);
  await page.reload();
  await page.canTalk();
  await expect(page.messages).toHaveText(["first!"]);
  await expect(page.box).toHaveValue("half a word");
});

test("the router comes when the group is left, in the same document, and leads back", async ({
  page,
  group,
}) => {
  const scripts: string[] = [];
  page.on("request", (asked) => asked.resourceType() === "script" && scripts.push(asked.url()));
  const hasSite = () => scripts.some((address) => /\/startSite-/.test(address));
  await page.enter(group);
  await page.sends("Tacos at two?");
  // A menu is no other page.
  await page.moreMenu("Invite by QR code");
  await page.goBack();
  expect(hasSite()).toBe(false);
  await page.evaluate(() => Object.assign(window, { before: true }));
  await page.link("Back to home").click();
  await expect(page.getByRole("heading", { level: 1, name: "Say it without the name tag" })).toBeVisible();
  await expect(page.locator("#main")).toBeFocused();
  expect(hasSite()).toBe(true);
  expect(await page.evaluate(() => "before" in window)).toBe(true);
  await page.goBack();
  await expect(page.line("Tacos at two?")).toBeVisible();
  // After a reload the router is gone again, and the entry before the group's is another page's.
  await page.reload();
  await page.canTalk();
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: "Say it without the name tag" })).toBeVisible();
  await page.goBack();
  await page.canTalk();
  await expect(page.messages).toHaveText(["Tacos at two?"]);
});
