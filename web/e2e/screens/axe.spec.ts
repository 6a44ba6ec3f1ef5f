/** axe finds nothing on any screen, in either theme, with its dialog open where it has one, and that begins where it should. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { signedIn } from "../support/people.ts";
import { expect } from "../support/test.ts";
import { SCREENS, test } from "./screens.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`axe: ${name}`, async ({ page, context, server, cast }) => {
    if (screen.as) await signedIn(context, cast[screen.as]);
    await screen.prepare?.(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await context.setOffline(false);
      await page.emulateMedia({ colorScheme });
      // The same address again would be a reload, which keeps what was come to.
      await page.goto("about:blank");
      await page.goto(screen.path);
      await page.locator("h1").first().waitFor();
      await screen.act?.(page, server.base);
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
