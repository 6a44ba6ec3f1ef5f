/** Nothing moves while somebody enters a group: every part of the page has its space from the first frame on. */
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
