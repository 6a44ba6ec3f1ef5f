/**
 * Photographs every screen at several sizes in both themes into e2e/shots. Fails if the browser reports an error:
 * `npm run shots -- -g login`.
 */
import { fileURLToPath } from "node:url";
import { expect, withSteps } from "../support/test.ts";
import { SCREENS, show, test } from "./screens.ts";

const SHOTS = fileURLToPath(new URL("../shots/", import.meta.url));
const LOOKS = [
  ["light", 390, 844],
  ["light", 1280, 800],
  ["dark", 390, 844],
  ["dark", 1280, 800],
  ["light", 320, 640],
] as const;

for (const [name, screen] of Object.entries(SCREENS)) {
  test(name, async ({ browser, cast }) => {
    for (const [colorScheme, width, height] of LOOKS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = withSteps(await context.newPage());
      const complaints: string[] = [];
      page.on("console", (message) => {
        const isExpected = screen.complains?.some((part) => message.text().includes(part));
        if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(message.text());
      });
      await show(page, screen, cast);
      await page.evaluate(() => document.fonts.ready);
      const file = `${SHOTS}${name}-${colorScheme}-${width}.png`;
      await page.screenshot({ path: file, fullPage: !screen.overlay, animations: "disabled" });
      expect.soft(await page.sticksOut(), `${file} scrolls sideways`).toBe(0);
      expect.soft(complaints, file).toEqual([]);
      await context.close();
    }
  });
}
