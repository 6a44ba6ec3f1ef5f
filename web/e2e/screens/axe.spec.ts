/** axe finds nothing on any screen, in either theme, with its dialog open where it has one, and that begins where it should. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "../support/test.ts";
import { SCREENS, show, test } from "./screens.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`axe: ${name}`, async ({ page, context, cast }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await context.setOffline(false);
      await page.emulateMedia({ colorScheme });
      await show(page, screen, cast);
      // What opens or changes its colour is judged when it has done so.
      await page.atRest();
      // The dots of the paper are a picture, on which axe can judge no contrast; without them it can.
      await page.evaluate(() => {
        document.body.style.backgroundImage = "none";
      });
      // Through the debugger, which the page's content security policy doesn't govern.
      await page.evaluate(AXE);
      const found = await page.evaluate(async (runOnly) => {
        const { axe } = window as unknown as { axe: typeof import("axe-core") };
        const { violations } = await axe.run(document, { runOnly });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        );
      }, RULES);
      expect(found, colorScheme).toEqual([]);
    }
  });
}
