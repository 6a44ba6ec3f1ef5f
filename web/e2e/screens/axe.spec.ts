/** axe finds no fault on any screen, in both themes, some in both languages. A screen that has a dialog is checked with the dialog open. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AppPage, expect } from "../support/test.ts";
import { SCREENS, show, test } from "./screens.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const elements = (page: AppPage) => page.evaluate(() => document.querySelectorAll("*").length);

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`axe: ${name}`, async ({ page, context, cast }) => {
    const languages = screen.inAllLanguages ? ["en", "de"] : ["en"];
    for (const language of languages) {
      let drawn = -1;
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        // Styles alone make the theme: so a screen is shown once for both, unless something on it has come or gone.
        if ((await elements(page)) !== drawn) {
          await context.setOffline(false);
          await context.addCookies([{ name: "language", value: language, url: cast.base }]);
          await show(page, screen, cast);
          // `evaluate` uses the debugger, to which the page's content security policy doesn't apply.
          await page.evaluate(AXE);
        }
        // axe would misjudge an element that is still moving or changing its colour.
        await page.atRest();
        drawn = await elements(page);
        // axe can't judge the contrast of words on a picture, and the dots of the paper are one.
        await page.evaluate(() => {
          document.body.style.backgroundImage = "none";
        });
        const found = await page.evaluate(async (runOnly) => {
          const { axe } = window as unknown as { axe: typeof import("axe-core") };
          const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
          );
        }, RULES);
        expect(found, `${colorScheme} ${language}`).toEqual([]);
      }
    }
  });
}
