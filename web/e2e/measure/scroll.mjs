import { log } from "../rooms.mjs";
import { largest, percent, quantile, round } from "./numbers.mjs";
import { traced } from "./trace.mjs";

/** Flings between two looks at the trace: a longer one would be too large to keep. */
const FLINGS = 12;
/** A fling goes on for longer; a reader who wants to get far doesn't wait for its end. */
const BETWEEN_FLINGS_MS = 450;

/** Through the whole room with a finger: up, older pages coming in above, and down again. */
export async function scroll({ browser, page, finger }) {
  return {
    up: await through(browser, page, finger, "up"),
    down: await through(browser, page, finger, "down"),
  };
}

async function through(browser, page, finger, way) {
  const all = { frames: [], work: [], tasks: [], nodes: 0, rows: 0, px: 0 };
  for (let isThere = false; !isThere; ) {
    await page.evaluate(startSampling);
    const { frames, tasks } = await traced(browser, page, async () => {
      for (let at = 0; at < FLINGS && !isThere; at += 1) {
        await fling(finger, way);
        await page.waitForTimeout(BETWEEN_FLINGS_MS);
        isThere = await log(page).evaluate(isAtEnd, way);
      }
    });
    const sampled = await page.evaluate(() => window.stopSampling());
    for (const interval of sampled.intervals) all.frames.push(interval);
    for (const frame of frames) all.work.push(frame);
    for (const task of tasks) all.tasks.push(task);
    all.nodes = Math.max(all.nodes, sampled.nodes);
    all.rows = Math.max(all.rows, sampled.rows);
    all.px += sampled.px;
  }
  return summary(all);
}

function summary({ frames, work, tasks, nodes, rows, px }) {
  const seconds = frames.reduce((sum, interval) => sum + interval, 0) / 1000;
  const part = (kind) => work.map((frame) => frame[kind]);
  return {
    "frames while it moves": frames.length,
    "frames per second": round(frames.length / seconds),
    "median frame, ms": quantile(frames, 0.5),
    "frames up to 17.5 ms, %": percent(frames, (interval) => interval <= 17.5),
    "frames over 33.4 ms, %": percent(frames, (interval) => interval > 33.4),
    "longest frame, ms": largest(frames),
    "work a frame p50, ms": quantile(part("all"), 0.5),
    "work a frame p95, ms": quantile(part("all"), 0.95),
    "work a frame p99, ms": quantile(part("all"), 0.99),
    "longest work, ms": largest(part("all")),
    "script p95, ms": quantile(part("script"), 0.95),
    "layout p95, ms": quantile(part("layout"), 0.95),
    "paint p95, ms": quantile(part("paint"), 0.95),
    "collecting, longest, ms": largest(part("collect")),
    "frames with work over 16.7 ms, %": percent(part("all"), (ms) => ms > 16.7),
    "longest task, ms": largest(tasks),
    "tasks over 50 ms": tasks.filter((ms) => ms > 50).length,
    "elements in the page": nodes,
    "rows in the page": rows,
    "px scrolled": Math.round(px),
  };
}

/** A quick one, over most of the screen. */
async function fling(finger, way) {
  const touch = (type, y) =>
    finger.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: y === undefined ? [] : [{ x: 190, y: way === "up" ? y : 850 - y }],
    });
  await touch("touchStart", 140);
  for (let y = 140; y <= 760; y += 88) await touch("touchMove", y);
  await touch("touchEnd");
}

function isAtEnd(list, way) {
  // The first line of all says when the group was made.
  if (way === "up") return list.scrollTop < 1 && list.querySelector("time") !== null;
  return list.scrollHeight - list.clientHeight - list.scrollTop < 2;
}

/** Runs in the page. Of each frame in which the log has moved: how long after the one before it came. */
function startSampling() {
  const list = document.querySelector("[role=log]");
  const sampled = { intervals: [], nodes: 0, rows: 0, px: 0 };
  let [before, top, moved, running] = [undefined, list.scrollTop, false, true];
  requestAnimationFrame(function look(now) {
    if (!running) return;
    const isMoving = list.scrollTop !== top;
    // The first frame after a rest began whenever it did.
    if (isMoving && moved) sampled.intervals.push(now - before);
    if (isMoving && Math.abs(list.scrollTop - top) < 2000) sampled.px += Math.abs(list.scrollTop - top);
    if (sampled.intervals.length % 30 === 0) {
      sampled.nodes = Math.max(sampled.nodes, document.getElementsByTagName("*").length);
      sampled.rows = Math.max(sampled.rows, list.querySelectorAll("[data-row]").length);
    }
    [before, top, moved] = [now, list.scrollTop, isMoving];
    requestAnimationFrame(look);
  });
  window.stopSampling = () => {
    running = false;
    return sampled;
  };
}
