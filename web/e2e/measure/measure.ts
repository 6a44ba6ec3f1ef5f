/**
 * Measures a group on a phone's screen, and what pages weigh: `MESSAGES=400 SLOWER=4 npm run measure -- -g opening`.
 * A busy machine makes every number worse.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Browser, CDPSession } from "@playwright/test";
import { type Member, takeSeat } from "../support/members.ts";
import { PICTURE } from "../support/page.ts";
import { createGroup, type Group, register, signedIn } from "../support/people.ts";
import { type AppPage, test as base, expect, withSteps } from "../support/test.ts";

const MESSAGES = Number(process.env.MESSAGES ?? 10_000);
/** How many times slower than this machine the phone is. Some measurements have their own fixed number instead. */
const SLOWER = Number(process.env.SLOWER ?? 1);
const PICTURES = 12;
/** This many messages follow the pictures. It puts the pictures on the second page of the history that is loaded. */
const AFTER_PICTURES = 300;

type Numbers = Record<string, number>;

/** A group in which four people have sent `MESSAGES` messages, and one of the four, who can send more. */
const test = base.extend<object, { room: { group: Group; talker: Member } }>({
  room: [
    async ({ server }, use) => {
      const group = await createGroup(await register(server.base));
      const talkers = await Promise.all([1, 2, 3, 4].map(() => takeSeat(group)));
      const [talker] = talkers;
      const share = Math.floor((MESSAGES - AFTER_PICTURES - PICTURES) / talkers.length);
      for (const one of talkers) await one.talk(share);
      for (let at = 0; at < PICTURES; at += 1) talker.show(await talker.upload(readFileSync(PICTURE)));
      await talker.talk(AFTER_PICTURES);
      for (const one of talkers.slice(1)) one.go();
      await use({ group, talker });
      talker.go();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

/** A phone that has not opened the app yet. */
async function newPhone(browser: Browser, rate = SLOWER) {
  const context = await browser.newContext({ deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  const page = withSteps(await context.newPage());
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate });
  await client.send("Network.enable");
  return { page, client };
}

/** Opens the group on a new phone. From then on, the page records its long tasks. */
async function phoneIn(browser: Browser, group: Group) {
  const { page } = await newPhone(browser);
  await page.goto(group.url);
  await page.canTalk();
  await page.log.getByRole("article").last().waitFor();
  // The tasks that the page only does once after it was opened are not measured.
  await page.waitForTimeout(4000);
  await page.evaluate(() => {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.measured.tasks.push(duration);
    }).observe({ type: "longtask" });
    window.measured = { tasks: [], frames: [], keys: {} };
  });
  return page;
}

declare global {
  interface Window {
    measured: { tasks: number[]; frames: number[]; keys: Record<number, number> };
    paints: Numbers;
  }
}

/** The value that this share of all values doesn't exceed. */
function quantile(values: number[], share: number) {
  const sorted = [...values].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
}

const round = (value: number) => Math.round(value * 100) / 100;
const percent = (values: number[], isCounted: (value: number) => boolean) =>
  round((100 * values.filter(isCounted).length) / values.length);
const tell = (what: string, numbers: Numbers | Record<string, Numbers>) => {
  console.log(`\n${what}, ${MESSAGES} messages`);
  console.table(numbers);
};

/**
 * How long the app's worker takes for work of so many bits: the processor time of its process, so that a busy machine changes little.
 * DevTools slow down no worker, so a phone that is `SLOWER` takes so many times as long.
 */
test("work", async ({ browser, server }) => {
  const file = readdirSync("dist/assets").find((name) => /^worker-[\w-]+\.js$/.test(name));
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  const client = await browser.newBrowserCDPSession();
  const processorTime = async () => {
    const { processInfo } = await client.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter((one) => one.type === "renderer");
    return renderers.reduce((sum, one) => sum + one.cpuTime * 1000, 0);
  };
  await page.goto(`${server.base}/about`);
  await page.waitForTimeout(3000);
  const found: Record<string, Numbers> = {};
  for (const [bits, count] of [
    [14, 15],
    [18, 15],
    [22, 3],
  ] as const) {
    const times: number[] = [];
    let tried = 0;
    for (let n = 0; n < count; n++) {
      // A seed has 25 bytes.
      const seed = `${String(n).padStart(2, "A")}${"Q".repeat(31)}A`;
      const before = await processorTime();
      tried += await page.evaluate(
        ([address, seed, bits]) =>
          new Promise<number>((resolve) => {
            const worker = new Worker(address, { type: "module" });
            worker.onmessage = ({ data }) => {
              if (data.nonce === undefined) return;
              worker.terminate();
              resolve(data.tried);
            };
            worker.postMessage({ seed, bits });
          }),
        [`/assets/${file}`, seed, bits] as const,
      );
      times.push((await processorTime()) - before);
    }
    const each = times.reduce((sum, ms) => sum + ms, 0) / tried;
    found[`${bits} bits`] = {
      "median, ms": SLOWER * quantile(times, 0.5),
      "on average, ms": round(SLOWER * each * 2 ** bits),
      "each try, µs": round(SLOWER * each * 1000),
    };
  }
  tell("work", found);
});

/** A finger scrolls through the whole group: up, while older pages are loaded, and down again. */
test("scroll", async ({ browser, room }) => {
  const page = await phoneIn(browser, room.group);
  const finger = await page.finger();
  const isAtEnd = (way: string) =>
    page.log.evaluate((list, way) => {
      // Only the first row of all has a time element: it says when the group was created.
      if (way === "up") return list.scrollTop < 1 && list.querySelector("time") !== null;
      return list.scrollHeight - list.clientHeight - list.scrollTop < 2;
    }, way);
  for (const way of ["up", "down"]) {
    await page.log.evaluate((list) => {
      window.measured.frames = [];
      window.measured.tasks = [];
      let [before, top, moved] = [0, list.scrollTop, false];
      const look = (now: number) => {
        const isMoving = list.scrollTop !== top;
        // The first frame after a rest isn't counted, because its duration includes the rest.
        if (isMoving && moved) window.measured.frames.push(now - before);
        [before, top, moved] = [now, list.scrollTop, isMoving];
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    while (!(await isAtEnd(way))) {
      const at = (y: number) => 450 + (way === "up" ? y - 450 : 450 - y);
      await finger.down(190, at(140));
      for (let y = 140; y <= 760; y += 88) await finger.move(190, at(y));
      await finger.lift();
      // The list scrolls on for longer than this, but a reader who wants to get far doesn't wait for its end.
      await page.waitForTimeout(450);
    }
    const { frames, tasks } = await page.evaluate(() => window.measured);
    tell(`scroll ${way}`, {
      "frames while it moves": frames.length,
      "frames per second": round((1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0)),
      "frames over 33.4 ms, %": percent(frames, (ms) => ms > 33.4),
      "longest frame, ms": quantile(frames, 1),
      "tasks over 50 ms": tasks.length,
    });
  }
});

/** The user types while twenty messages arrive per second: how long does each letter take to the screen? */
test("typing", async ({ browser, room }) => {
  const page = await phoneIn(browser, room.group);
  const talking = setInterval(room.talker.say, 50);
  await page.evaluate(() => {
    new PerformanceObserver((list) => {
      type Event = PerformanceEntry & { interactionId: number };
      // A key causes three events. The slowest of the three counts.
      for (const { duration, interactionId: key } of list.getEntries() as Event[])
        if (key) window.measured.keys[key] = Math.max(window.measured.keys[key] ?? 0, duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.box.pressSequentially("abcdefghij".repeat(10), { delay: 110 });
  clearInterval(talking);
  expect(await page.box.inputValue()).toHaveLength(100);
  const { keys, tasks } = await page.evaluate(() => window.measured);
  // A key that wasn't reported took less than 16 ms.
  const all = [...Object.values(keys), ...Array(100).fill(16)].slice(0, 100);
  tell("typing", {
    "key to screen p50, ms": quantile(all, 0.5),
    "key to screen p95, ms": quantile(all, 0.95),
    "key to screen, longest, ms": quantile(all, 1),
    "tasks over 50 ms": tasks.length,
  });
});

/** Runs a measurement several times, each time on a new phone with a network like that of Lighthouse. */
async function medians(browser: Browser, times: number, run: (page: AppPage) => Promise<Numbers>) {
  const runs: Record<string, Numbers> = {};
  for (let nth = 1; nth <= times; nth += 1) {
    const { page, client } = await newPhone(browser, 4);
    const network = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
    await client.send("Network.emulateNetworkConditions", { offline: false, ...network });
    runs[`run ${nth}`] = await run(page);
    await page.context().close();
  }
  const all = Object.values(runs);
  const median = (what: string) =>
    quantile(
      all.map((numbers) => numbers[what]),
      0.5,
    );
  return { ...runs, median: Object.fromEntries(Object.keys(all[0]).map((what) => [what, median(what)])) };
}

/** When a page's own words are seen, whether they move then, and when a click is answered. */
test("first sight", async ({ browser, server, room: { group } }) => {
  const person = await register(server.base);
  const rows: Record<string, Numbers> = {};
  for (const path of ["/", "/login", "/signup", "/about", `/${person.username}`, "/homepage", group.path]) {
    const { median } = await medians(browser, 5, async (page) => {
      if (path === "/homepage") await signedIn(page.context(), person);
      await page.addInitScript(watchSight);
      await page.goto(server.base + path, { waitUntil: "commit" });
      await page.waitForFunction(() => window.paints["a click answers, ms"] !== undefined);
      await page.waitForTimeout(1500);
      const paints = await page.evaluate(() => window.paints);
      if (path === group.path)
        await page.evaluate((id) => fetch(`/api/room/${id}/seat`, { method: "DELETE" }), group.id);
      return paints;
    });
    rows[path.slice(0, 10)] = median;
  }
  tell("first sight", rows);
});

/** Runs in the page before its own scripts. */
function watchSight() {
  window.paints = { "layout shift": 0 };
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => {
    window.paints["largest content, ms"] = Math.round(startTime);
    // The first is what one sees first: in a frame something larger may follow.
    window.paints["first content, ms"] ??= Math.round(startTime);
  });
  watch("layout-shift", (entry) => {
    window.paints["layout shift"] += (entry as PerformanceEntry & { value: number }).value;
  });
  const look = setInterval(() => {
    const control = document.querySelector("#app a, #app button");
    if (!control || !Object.keys(control).some((key) => key.startsWith("__reactProps"))) return;
    window.paints["a click answers, ms"] = Math.round(performance.now());
    clearInterval(look);
  }, 10);
}

/** What a page writes to the console when all is measured. */
const SEEN = "all is seen";

/** How long a newcomer waits after a tap on the link, with a phone and a network like those of Lighthouse. */
test("opening", async ({ browser, room: { group } }) => {
  const runs = await medians(browser, 7, async (page) => {
    await page.addInitScript(watchPaints, SEEN);
    // Waiting for an element would run Playwright's own script on the phone's processor.
    const seen = page.waitForEvent("console", (message) => message.text() === SEEN);
    await page.goto(group.url, { waitUntil: "commit" });
    await seen;
    await page.canTalk();
    const paints = await page.evaluate(() => window.paints);
    // The next run needs the seat.
    await page.evaluate((id) => fetch(`/api/room/${id}/seat`, { method: "DELETE" }), group.id);
    return paints;
  });
  tell("opening", runs);
});

/** Runs in the page before its own scripts. */
function watchPaints(seen: string) {
  window.paints = {};
  const note = (what: string, at: number) => {
    window.paints[what] ??= Math.round(at);
    if (Object.keys(window.paints).length === 3) console.debug(seen);
  };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName("first-contentful-paint"))
      note("first paint, ms", startTime);
  }).observe({ type: "paint", buffered: true });
  // A check in every frame would slow down the page that is measured.
  const list = new MutationObserver(() => {
    if (!document.querySelector("article")) return;
    list.disconnect();
    // The content of the next frame is on the screen when the frame after it begins.
    requestAnimationFrame(() => requestAnimationFrame((at) => note("first message, ms", at)));
  });
  list.observe(document, { childList: true, subtree: true });
  const watch = setInterval(() => {
    if (!document.querySelector("textarea:enabled")) return;
    note("can be typed into, ms", performance.now());
    clearInterval(watch);
  }, 10);
}

/** How many kilobytes a first visit loads until the page is complete, including the headers of the responses. */
test("weight", async ({ browser, server, room: { group } }) => {
  const person = await register(server.base);
  const weights: Record<string, Numbers> = {};
  for (const path of ["/", "/login", `/${person.username}`, group.path]) {
    const { page, client } = await newPhone(browser, 1);
    weights[path.slice(0, 10)] = await weigh(page, client, server.base + path);
    await page.context().close();
  }
  tell("weight", weights);
});

async function weigh(page: AppPage, client: CDPSession, url: string) {
  const types = new Map<string, string>();
  const weight: Numbers = { requests: 0, "all, kB": 0 };
  client.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength: bytes }) => {
    weight.requests += 1;
    for (const what of ["all", types.get(requestId) ?? "Other"])
      weight[`${what}, kB`] = round((weight[`${what}, kB`] ?? 0) + bytes / 1000);
  });
  await page.goto(url);
  // The last files are loaded when the page has been idle for a while.
  for (let seen = -1; seen !== weight.requests; await page.waitForTimeout(1500)) seen = weight.requests;
  return weight;
}
