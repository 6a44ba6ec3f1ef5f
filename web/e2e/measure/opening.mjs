import { log } from "../rooms.mjs";
import { inHand } from "./busyRoom.mjs";

const RUNS = 7;
/** A phone as Lighthouse has it: so many times slower than this machine, and its network. */
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

/** How long somebody waits who comes by the link for the first time, until there is something to read. */
export async function opening({ browser, url }) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await open(browser, url));
  const typical = {};
  for (const what of Object.keys(runs[0])) {
    const sorted = runs.map((measured) => measured[what]).sort((a, b) => a - b);
    typical[what] = sorted[Math.floor(RUNS / 2)];
  }
  return { ...Object.fromEntries(runs.map((measured, at) => [`run ${at + 1}`, measured])), median: typical };
}

async function open(browser, url) {
  const { context, page, finger } = await inHand(browser, SLOWER);
  await finger.send("Network.enable");
  await finger.send("Network.emulateNetworkConditions", NETWORK);
  await page.addInitScript(watchPaints);
  await page.goto(url, { waitUntil: "commit" });
  await log(page).getByRole("article").last().waitFor();
  await page.waitForTimeout(1500);
  const measured = await page.evaluate(() => window.paints);
  // The seat is somebody else's.
  await page.evaluate((id) => fetch(`/api/room/${id}/seat`, { method: "DELETE" }), url.split("/").at(-1));
  await context.close();
  return measured;
}

/** Runs in the page before anything else. */
function watchPaints() {
  window.paints = {};
  const note = (what, at) => {
    window.paints[what] ??= Math.round(at);
  };
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) note(`${name}, ms`, startTime);
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.paints["largest paint, ms"] = Math.round(startTime);
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const look = () => {
    // What this frame shows is on the screen when the next one begins.
    if (document.querySelector("article")) requestAnimationFrame((at) => note("first message, ms", at));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const ready = () => {
    const box = document.querySelector("textarea");
    if (box) note("can be typed into, ms", performance.now());
    else setTimeout(ready, 10);
  };
  ready();
}
