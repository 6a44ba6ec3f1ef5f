/**
 * Photographs every screen at several sizes in both themes into e2e/shots. Fails if the browser reports an error:
 * `npm run screens -- -g login`.
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
/** A screen on which something has to be clicked is only photographed in English, in which it says what. */
const LANGUAGES = [
  ["en-GB", ""],
  ["de-DE", "-de"],
] as const;

for (const [name, screen] of Object.entries(SCREENS)) {
  test(name, async ({ browser, cast }) => {
    const languages = screen.act && !screen.inAllLanguages ? LANGUAGES.slice(0, 1) : LANGUAGES;
    const looks = languages.flatMap((language) => LOOKS.map((look) => [...look, ...language] as const));
    for (const [colorScheme, width, height, locale, mark] of looks) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale });
      const page = withSteps(await context.newPage());
      const complaints: string[] = [];
      page.on("console", (message) => {
        const isExpected = screen.complains?.some((part) => message.text().includes(part));
        if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(message.text());
      });
      await show(page, screen, cast);
      await page.evaluate(() => document.fonts.ready);
      const file = `${SHOTS}${name}-${colorScheme}-${width}${mark}.png`;
      await page.screenshot({ path: file, fullPage: !screen.overlay, animations: "disabled" });
      expect.soft(await page.sticksOut(), `${file} scrolls sideways`).toBe(0);
      expect.soft(complaints, file).toEqual([]);
      await context.close();
    }
  });
}
