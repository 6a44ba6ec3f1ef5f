import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { freePort, untilReady } from "../support/server.ts";
import type { Tab } from "./screen.ts";

const DRIVER = process.env.WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";
const DRAWN =
  "new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(() => d([innerWidth, innerHeight]))))";
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** The browser's own toolbar is wider than a phone. With this style the page has nearly all of the window. */
const NO_BAR = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px; }";

/** WebKitGTK in its own small browser, driven by WebDriver, on a virtual display. */
export async function withWebKit(work: (open: () => Promise<Tab>) => Promise<void>) {
  const { folder, start, stop } = programs();
  try {
    mkdirSync(join(folder, "gtk-3.0"));
    writeFileSync(join(folder, "gtk-3.0", "gtk.css"), NO_BAR);
    // Xvfb chooses a free display number, and writes the number to its file descriptor 3.
    const display = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
    const xvfb = await start("Xvfb", display, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const [number] = await once(xvfb.stdio[3] as Readable, "data");
    const DISPLAY = `:${String(number).trim()}`;
    const env = { ...process.env, DISPLAY, XDG_CONFIG_HOME: folder, GDK_BACKEND: "x11" };
    // Each driver has a browser of its own, which shares no data with another one.
    await work(async () => {
      const port = await freePort();
      await start(DRIVER, [`--port=${port}`], { env, stdio: "ignore" });
      return openTab(`http://127.0.0.1:${port}`);
    });
  } finally {
    await stop();
  }
}

async function openTab(driver: string): Promise<Tab> {
  await untilReady(`${driver}/status`);
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { args: ["--automation"] } } };
  const { sessionId } = await ask(driver, "POST", "/session", { capabilities });
  const session = `${driver}/session/${sessionId}`;
  const post = (path: string, body: object) => ask(session, "POST", path, body);
  const act = (type: string, actions: object[]) =>
    post("/actions", { actions: [{ type, id: type, actions }] });
  const evaluate = (expression: string) =>
    post("/execute/sync", { script: `return ${expression}`, args: [] });
  return {
    // This driver reports no errors. There are only those that the page itself has noticed.
    complaints: [],
    open: (url) => post("/url", { url }),
    reload: () => post("/refresh", {}),
    evaluate,
    /** Makes the window higher until the page has this height. The window needs some time for each change. */
    async resize(width, height) {
      let outer = height;
      for (let look = 0; look < 100; look += 1) {
        const rect = await post("/window/rect", { x: 0, y: 0, width, height: outer });
        const [innerWidth, innerHeight] = await evaluate(DRAWN);
        if (innerWidth === rect.width && innerHeight === height) return;
        if (innerWidth === rect.width) outer += height - innerHeight;
      }
      throw new Error(`the window didn't become ${height} px high`);
    },
    click: ({ x, y }) =>
      act("pointer", [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]),
    press: (keys) =>
      act(
        "key",
        [...keys].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
      ),
    async choose(file) {
      const found = await post("/element", { using: "css selector", value: "input[type=file]" });
      await post(`/element/${found[ELEMENT]}/value`, { text: file });
    },
    screenshot: async () => Buffer.from(await ask(session, "GET", "/screenshot"), "base64"),
  };
}

async function ask(base: string, method: string, path: string, body?: object) {
  const answer = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** Programs and their folder. They are gone when `stop` is done, or when this process has ended. */
function programs() {
  const folder = mkdtempSync(join(tmpdir(), "annon-engine-"));
  const running: ChildProcess[] = [];
  process.once("exit", () => {
    for (const child of running) kill(child, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    /** Starts a program in its own process group, so that a driver's browsers end with the driver. */
    async start(command: string, args: string[], options: SpawnOptions) {
      const child = spawn(command, args, { detached: true, ...options });
      running.push(child);
      await once(child, "spawn");
      return child;
    },
    /** The program that was started last ends first: a browser before its display. */
    async stop() {
      for (const child of running.splice(0).reverse()) {
        if (child.exitCode === null && child.signalCode === null) {
          kill(child, "SIGTERM");
          await once(child, "exit", { signal: AbortSignal.timeout(5000) }).catch(() => {});
        }
        kill(child, "SIGKILL");
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Kills a process group. It is no error if all processes of the group have ended already. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    process.kill(-(pid ?? 0), signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
