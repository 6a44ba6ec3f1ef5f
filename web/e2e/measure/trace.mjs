/**
 * What Chromium's trace says of where the main thread's time went, frame by frame. It is the thread's own time, so that
 * what else the machine has to do doesn't count.
 */

const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "toplevel",
  "__metadata",
];

const KINDS = {
  script: [
    "FunctionCall",
    "EvaluateScript",
    "EventDispatch",
    "FireAnimationFrame",
    "TimerFire",
    "RunMicrotasks",
  ],
  layout: ["UpdateLayoutTree", "Layout", "IntersectionObserverController::computeIntersections"],
  paint: ["PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer"],
  collect: ["MinorGC", "MajorGC", "V8.GCScavenger"],
};
const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind])));

/** Traces the page while `work` runs, and gives what came of it. */
export async function traced(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = mainThread(traceEvents);
  return { frames: framesOf(main), tasks: tasksOf(main) };
}

/** The events of the page's main thread: the one that did the most. */
function mainThread(events) {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const busiest = threads
    .map(({ pid, tid }) => events.filter((event) => event.pid === pid && event.tid === tid))
    .sort((one, other) => other.length - one.length)[0];
  return (busiest ?? []).sort((one, other) => one.ts - other.ts);
}

/** Of each frame the milliseconds spent on each kind of work, whatever they lay inside of counted once. */
function framesOf(main) {
  const frames = [];
  let current;
  let stack = [];
  for (const { name, ph, ts, dur = 0, tdur = dur } of main) {
    if (name === "BeginMainThreadFrame") {
      current = { ts, script: 0, layout: 0, paint: 0, collect: 0 };
      frames.push(current);
      continue;
    }
    const kind = ph === "X" ? KIND_OF.get(name) : undefined;
    if (!kind || !current) continue;
    stack = stack.filter(({ end }) => end > ts);
    const around = stack.at(-1);
    // Inside of script it is layout or paint that was forced: it counts as what it is.
    if (around) current[around.kind] -= tdur / 1000;
    current[kind] += tdur / 1000;
    stack.push({ kind, end: ts + dur });
  }
  return frames.map(({ script, layout, paint, collect }) => ({
    script,
    layout,
    paint,
    collect,
    all: script + layout + paint + collect,
  }));
}

function tasksOf(main) {
  return main
    .filter(({ name }) => name === "ThreadControllerImpl::RunTask")
    .map(({ dur = 0, tdur = dur }) => tdur / 1000);
}
