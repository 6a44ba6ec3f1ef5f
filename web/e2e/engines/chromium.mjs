import { withBrowser } from "../browser.mjs";

/** Chromium, to know that the walk itself is right. */
export async function withChromium(work) {
  await withBrowser((browser) => work(() => person(browser)));
}

async function person(browser) {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  return {
    browser: `Chromium ${browser.version()}`,
    complaints,
    open: (address) => page.goto(address),
    reload: () => page.reload(),
    evaluate: (expression) => page.evaluate(expression),
    resize: (width, height) => page.setViewportSize({ width, height }),
    click: ({ x, y }) => page.mouse.click(x, y),
    async press(keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (words) => page.keyboard.type(words),
    choose: (selector, file) => page.setInputFiles(selector, file),
    screenshot: () => page.screenshot(),
  };
}
