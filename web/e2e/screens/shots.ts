/**
 * Photographs every screen at two sizes in both themes into e2e/shots, and fails if the browser complains of one:
 * `npm run shots -- -g login`.
 */
import { fileURLToPath } from "node:url";
import { signedIn } from "../support/people.ts";
import { expect, withSteps } from "../support/test.ts";
import { SCREENS, test } from "./screens.ts";

const SHOTS = fileURLToPath(new URL("../shots/", import.meta.url));
const LOOKS = [
  ["light", 390, 844],
  ["light", 1280, 800],
  ["dark", 390, 844],
  ["dark", 1280, 800],
  ["light", 320, 640],
] as const;

for (const [name, screen] of Object.entries(SCREENS)) {
  test(name, async ({ browser, server, cast }) => {
    for (const [colorScheme, width, height] of LOOKS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      if (screen.as) await signedIn(context, cast[screen.as]);
      const page = withSteps(await context.newPage());
      const complaints: string[] = [];
      page.on("console", (message) => {
        const isExpected = screen.complains?.some((part) => message.text().includes(part));
        if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(message.text());
      });
      await screen.prepare?.(page);
      await page.goto(server.base + screen.path);
      await page.locator("h1").first().waitFor();
      await screen.act?.(page, server.base);
      await page.evaluate(() => document.fonts.ready);
      const file = `${SHOTS}${name}-${colorScheme}-${width}.png`;
      await page.screenshot({ path: file, fullPage: !screen.overlay, animations: "disabled" });
      expect.soft(await page.sticksOut(), `${file} scrolls sideways`).toBe(0);
      expect.soft(complaints, file).toEqual([]);
      await context.close();
    }
  });
}
