import puppeteer, { type KeyInput, type LaunchOptions } from "puppeteer-core";
import { CHROMIUM_ARGS, WHOLE_CHROMIUM } from "../support/chromium.ts";
import { ENTER, TAB, type Tab } from "./screen.ts";

/** Errors that aren't the page's fault: the server is down, or a request was cancelled because the page was left. */
const NO_FAULT = / ws:\/\/|A ServiceWorker intercepted the request and encountered an unexpected error/;

/** The keys of a text that aren't characters. Chromium would type them as signs of a private area. */
const KEYS: Record<string, KeyInput | undefined> = { [ENTER]: "Enter", [TAB]: "Tab" };

type Work = (open: () => Promise<Tab>) => Promise<void>;
type Preferences = Record<string, string | boolean>;

/** Firefox, driven by WebDriver BiDi. FIREFOX can name another one than Debian's. */
export const withFirefox = (work: Work, preferences: Preferences = {}) =>
  withBrowser(work, {
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "intl.accept_languages": "en-GB", ...preferences },
  });

/** Chromium with all of its own windows and menus, which the journeys' Chromium doesn't have. */
export const withChromium = (work: Work) =>
  withBrowser(work, {
    executablePath: WHOLE_CHROMIUM,
    args: [...CHROMIUM_ARGS, "--lang=en-GB", "--accept-lang=en-GB"],
  });

async function withBrowser(work: Work, options: LaunchOptions) {
  const browser = await puppeteer.launch(options);
  try {
    await work(async () => {
      // Each tab has its own cookies and storage, and its own window, because a tab behind another one is hidden.
      const page = await (await browser.createBrowserContext()).newPage({ type: "window" });
      const complaints: string[] = [];
      page.on("pageerror", (error) => {
        const words = String(error);
        if (!NO_FAULT.test(words)) complaints.push(words);
      });
      return {
        complaints,
        open: (url) =>
          page.goto(url).catch((error) => {
            if (!String(error).includes("NS_BINDING_ABORTED")) throw error;
            // The driver says so of a navigation during which a service worker has taken over.
            return page.goto(url);
          }),
        reload: () => page.reload(),
        evaluate: (expression) => page.evaluate(expression),
        resize: (width, height) => page.setViewport({ width, height }),
        click: ({ x, y }) => page.mouse.click(x, y),
        press: async (keys) => {
          for (const part of keys.split(new RegExp(`([${ENTER}${TAB}])`))) {
            const key = KEYS[part];
            await (key ? page.keyboard.press(key) : page.keyboard.type(part));
          }
        },
        choose: async (file) => (await page.$("input[type=file]"))?.uploadFile(file),
        screenshot: async () => Buffer.from(await page.screenshot()),
      };
    });
  } finally {
    await browser.close();
  }
}
