import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import { clickAt, strokes } from "./actions.mjs";
import { programs } from "./programs.mjs";

/** Nothing is asked of other hosts, and nothing is told on a first start. */
const PREFERENCES = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.accept_languages": "en-GB",
};

/** Firefox (FIREFOX names another than Debian's), by WebDriver BiDi, which it speaks itself. */
export async function withFirefox(work) {
  const { folder, start, stop } = programs();
  try {
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(folder, "user.js"), lines.join("\n"));
    const firefox = await start(
      process.env.FIREFOX ?? "/usr/bin/firefox-esr",
      ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
      {},
      ["ignore", "ignore", "pipe"],
    );
    const bidi = await connect(`${await addressTold(firefox)}/session`);
    const { capabilities } = await bidi.ask("session.new", { capabilities: {} });
    await bidi.ask("session.subscribe", { events: ["log.entryAdded"] });
    const browser = `Firefox ${capabilities.browserVersion}`;
    await work(async () => ({ browser, ...(await person(bidi)) }));
  } finally {
    await stop();
  }
}

async function addressTold(firefox) {
  for await (const line of createInterface({ input: firefox.stderr })) {
    const address = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1];
    if (address) {
      firefox.stderr.resume();
      return address;
    }
  }
  throw new Error("Firefox ended before it listened");
}

/** Commands and their answers over one socket, and what the pages complain of. */
async function connect(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const waiting = new Map();
  const complaints = new Map();
  let asked = 0;
  socket.on("message", (data) => {
    const { id, type, result, error, message, method, params } = JSON.parse(data);
    if (method === "log.entryAdded" && isFault(params)) {
      complaints.get(params.source.context)?.push(params.text);
    }
    const answer = waiting.get(id);
    waiting.delete(id);
    if (type === "success") answer.resolve(result);
    else if (type === "error") answer.reject(new Error(`${error}: ${message}`));
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox is gone"));
  });
  return {
    complaints,
    ask(method, params) {
      asked += 1;
      socket.send(JSON.stringify({ id: asked, method, params }));
      return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
    },
  };
}

/** A server that is gone is no fault of the page's, nor is a request given up because the page was left. */
const NO_FAULT = / ws:\/\/|A ServiceWorker intercepted the request and encountered an unexpected error/;

const isFault = ({ type, level, text }) => type === "javascript" && level === "error" && !NO_FAULT.test(text);

/** Cookies and storage of their own, and a window of their own, since a tab behind another is hidden. */
async function person(bidi) {
  const { userContext } = await bidi.ask("browser.createUserContext", {});
  const { context } = await bidi.ask("browsingContext.create", { type: "window", userContext });
  const complaints = [];
  bidi.complaints.set(context, complaints);
  const act = (actions) => bidi.ask("input.performActions", { context, actions });
  async function evaluate(expression) {
    const { result, exceptionDetails } = await bidi.ask("script.evaluate", {
      expression,
      target: { context },
      awaitPromise: true,
    });
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
    type: (words) => act(strokes(words)),
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
