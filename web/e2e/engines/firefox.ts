import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { WebSocket } from "ws";
import { clickAt, programs, strokes } from "./driver.ts";
import type { Tab } from "./screen.ts";

/** Nothing is asked of other hosts, and nothing is told on a first start. */
const PREFERENCES = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.accept_languages": "en-GB",
};
/** A server that is gone is no fault of the page's, nor is a request given up because the page was left. */
const NO_FAULT = / ws:\/\/|A ServiceWorker intercepted the request and encountered an unexpected error/;

type Bidi = Awaited<ReturnType<typeof connect>>;

/** Firefox (FIREFOX names another than Debian's), by WebDriver BiDi, which it speaks itself. */
export async function withFirefox(work: (open: () => Promise<Tab>) => Promise<void>) {
  const { folder, start, stop } = programs();
  try {
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(folder, "user.js"), lines.join("\n"));
    const firefox = await start(
      process.env.FIREFOX ?? "/usr/bin/firefox-esr",
      ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const bidi = await connect(`${await addressTold(firefox.stderr as Readable)}/session`);
    await bidi.ask("session.new", { capabilities: {} });
    await bidi.ask("session.subscribe", { events: ["log.entryAdded"] });
    await work(() => openTab(bidi));
  } finally {
    await stop();
  }
}

async function addressTold(told: Readable) {
  for await (const line of createInterface({ input: told })) {
    const address = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1];
    if (address) {
      told.resume();
      return address;
    }
  }
  throw new Error("Firefox ended before it listened");
}

// biome-ignore lint/suspicious/noExplicitAny: each command has an answer of its own shape
type Answer = any;

/** Commands and their answers over one socket, and what the pages complain of. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  const complaints = new Map<string, string[]>();
  let asked = 0;
  socket.on("message", (data) => {
    const { id, type, result, error, message, method, params } = JSON.parse(String(data));
    if (method === "log.entryAdded" && params.type === "javascript" && params.level === "error")
      if (!NO_FAULT.test(params.text)) complaints.get(params.source.context)?.push(params.text);
    if (type === "success") waiting.get(id)?.resolve(result);
    if (type === "error") waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    waiting.delete(id);
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox is gone"));
  });
  return {
    complaints,
    ask(method: string, params: object): Promise<Answer> {
      asked += 1;
      socket.send(JSON.stringify({ id: asked, method, params }));
      return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
    },
  };
}

/** Cookies and storage of their own, and a window of their own, since a tab behind another is hidden. */
async function openTab(bidi: Bidi): Promise<Tab> {
  const { userContext } = await bidi.ask("browser.createUserContext", {});
  const { context } = await bidi.ask("browsingContext.create", { type: "window", userContext });
  const complaints: string[] = [];
  bidi.complaints.set(context, complaints);
  const act = (actions: object[]) => bidi.ask("input.performActions", { context, actions });
  async function evaluate(expression: string) {
    const asked = { expression, target: { context }, awaitPromise: true };
    const { result, exceptionDetails } = await bidi.ask("script.evaluate", asked);
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result;
  }
  return {
    complaints,
    open: (url) => bidi.ask("browsingContext.navigate", { context, url, wait: "complete" }),
    reload: () => bidi.ask("browsingContext.reload", { context, wait: "complete" }),
    async evaluate(expression) {
      const { value } = await evaluate(`Promise.resolve(${expression}).then(JSON.stringify)`);
      return value && JSON.parse(value);
    },
    resize: (width, height) =>
      bidi.ask("browsingContext.setViewport", { context, viewport: { width, height } }),
    click: (place) => act(clickAt(place)),
    press: (keys) => act(strokes(keys)),
    async choose(selector, file) {
      const { sharedId } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
      await bidi.ask("input.setFiles", { context, element: { sharedId }, files: [file] });
    },
    async screenshot() {
      const { data } = await bidi.ask("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
  };
}
