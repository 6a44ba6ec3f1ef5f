import assert from "node:assert/strict";
import { box } from "../rooms.mjs";
import { largest, percent, quantile } from "./numbers.mjs";
import { traced } from "./trace.mjs";

const KEYS = 100;
const BETWEEN_KEYS_MS = 110;
const BETWEEN_MESSAGES_MS = 50;
/** The browser tells of nothing that is shown sooner. */
const TOLD_FROM_MS = 16;

/** Somebody writes while twenty messages a second come in: how long until a key's letter is on the screen. */
export async function typing({ browser, page, talker }) {
  await talker.evaluate((every) => {
    window.talking = setInterval(window.sayOne, every);
  }, BETWEEN_MESSAGES_MS);
  await box(page).focus();
  await page.waitForTimeout(1000);
  await page.evaluate(watchInteractions, TOLD_FROM_MS);
  const { frames, tasks } = await traced(browser, page, async () => {
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press("abcdefgh"[key % 8]);
      await page.waitForTimeout(BETWEEN_KEYS_MS);
    }
  });
  const { waits, delays, count } = await page.evaluate(() => window.interactions());
  await talker.evaluate(() => clearInterval(window.talking));
  assert.equal((await box(page).inputValue()).length, KEYS);
  // What wasn't told of took less.
  const all = [...waits, ...Array.from({ length: Math.max(0, count - waits.length) }, () => TOLD_FROM_MS)];
  const work = frames.map((frame) => frame.all);
  return {
    typing: {
      keys: count,
      "key to screen p50, ms": quantile(all, 0.5),
      "key to screen p95, ms": quantile(all, 0.95),
      "key to screen, longest, ms": largest(all),
      "under 50 ms, %": percent(all, (ms) => ms < 50),
      "handling a key, longest, ms": largest(delays),
      "work a frame p95, ms": quantile(work, 0.95),
      "longest work, ms": largest(work),
      "longest task, ms": largest(tasks),
    },
  };
}

/** Runs in the page. A key is three events; what counts is the slowest of those that belong together. */
function watchInteractions(durationThreshold) {
  const slowest = new Map();
  const before = performance.interactionCount;
  const take = (entries) => {
    for (const { interactionId, duration, processingStart, processingEnd } of entries) {
      if (!interactionId) continue;
      const known = slowest.get(interactionId) ?? { duration: 0, handling: 0 };
      const handling = Math.max(known.handling, processingEnd - processingStart);
      slowest.set(interactionId, { duration: Math.max(known.duration, duration), handling });
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: "event", durationThreshold });
  window.interactions = () => {
    take(observer.takeRecords());
    const all = [...slowest.values()];
    return {
      waits: all.map(({ duration }) => duration),
      delays: all.map(({ handling }) => handling),
      count: performance.interactionCount - before,
    };
  };
}
