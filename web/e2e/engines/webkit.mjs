import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, untilReady } from "../server.mjs";
import { clickAt, strokes } from "./actions.mjs";
import { programs } from "./programs.mjs";

const DRIVER = process.env.WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";
const DRAWN =
  "new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(() => d([innerWidth, innerHeight]))))";
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The browser's own bar is wider than a phone. Without it nearly all of the window is the page's. */
const NO_BAR = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px; }";

/** WebKitGTK in its own small browser, by WebDriver, on a display that nobody sees. */
export async function withWebKit(work) {
  const { folder, start, stop } = programs();
  try {
    mkdirSync(join(folder, "gtk-3.0"));
    writeFileSync(join(folder, "gtk-3.0", "gtk.css"), NO_BAR);
    const env = { DISPLAY: await display(start), XDG_CONFIG_HOME: folder, GDK_BACKEND: "x11" };
    await work(() => person(start, env));
  } finally {
    await stop();
  }
}

/** Xvfb takes a free number and tells it. */
async function display(start) {
  const server = await start(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
    {},
    ["ignore", "ignore", "ignore", "pipe"],
  );
  return new Promise((resolve, reject) => {
    server.stdio[3].once("data", (number) => resolve(`:${String(number).trim()}`));
    server.once("exit", () => reject(new Error("Xvfb ended before its display was there")));
  });
}

/** A driver has one browser, and that keeps nothing of another's. */
async function person(start, env) {
  const port = await freePort();
  await start(DRIVER, [`--port=${port}`], env, "ignore");
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/status`);
  const { sessionId, capabilities } = await ask(base, "POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": {
          args: ["--automation"],
        },
      },
    },
  });
  const session = `${base}/session/${sessionId}`;
  const post = (path, body) => ask(session, "POST", path, body);
  const act = (actions) => post("/actions", { actions });
  const evaluate = (expression) => post("/execute/sync", { script: `return ${expression}`, args: [] });
  const rect = (width, height) => post("/window/rect", { x: 0, y: 0, width, height });
  return {
    browser: `WebKitGTK ${capabilities.browserVersion}`,
    // It tells nobody: what the page notices by itself has to do.
    complaints: [],
    open: (url) => post("/url", { url }),
    reload: () => post("/refresh", {}),
    evaluate,
    resize: (width, height) => sized(evaluate, (outer) => rect(width, outer), height),
    click: (place) => act(clickAt(place)),
    press: (keys) => act(strokes(keys)),
    type: (words) => act(strokes(words)),
    async choose(selector, file) {
      const found = await post("/element", { using: "css selector", value: selector });
      await post(`/element/${found[ELEMENT]}/value`, { text: file });
    },
    screenshot: async () => Buffer.from(await ask(session, "GET", "/screenshot"), "base64"),
  };
}

/** Makes the window higher until the page is so high, and waits until it is drawn: the window takes its time. */
async function sized(evaluate, makeWindow, height) {
  let outer = height;
  for (let look = 0; look < 100; look += 1) {
    const { width } = await makeWindow(outer);
    const [innerWidth, innerHeight] = await evaluate(DRAWN);
    if (innerWidth === width && innerHeight === height) return;
    if (innerWidth === width) outer += height - innerHeight;
  }
  throw new Error(`the window didn't become ${height} px high`);
}

async function ask(base, method, path, body) {
  const answer = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}
