import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createRoom, register, sendNote, signedIn } from "./people.mjs";
import { SCREENS } from "./screens.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let cast;

/** The people the screens are looked at by; made once. */
function people(base) {
  cast ??= (async () => {
    const person = await register(base, "wildfox");
    const newcomer = await register(base, "newcomer");
    for (const note of [
      "A first note, which is read.",
      "See https://a.example now.",
      "🦊 🐙 🌵 👻 🦉 🍄 🐝 🐳 🪩 🐸",
    ]) {
      await sendNote(base, person.username, note);
    }
    await createRoom(base, person, "midnight tacos");
    return { person, newcomer };
  })();
  return cast;
}

/** axe finds nothing on any screen, in either theme, with its dialog open where it has one. */
export const accessibility = Object.fromEntries(
  SCREENS.map((screen) => [
    `axe: ${screen.name}`,
    async ({ page, context, base }) => {
      const who = (await people(base))[screen.as];
      if (who) await signedIn(context, base, who);
      await screen.prepare?.(page);
      for (const colorScheme of ["light", "dark"]) {
        await context.setOffline(false);
        await page.emulateMedia({ colorScheme });
        // The same address again would be a reload, which keeps what was come to.
        await page.goto("about:blank");
        await page.goto(base + screen.path);
        await page.locator("h1").first().waitFor();
        await screen.act?.(page, base);
        await page.waitForTimeout(250);
        // The dots of the paper are a picture, on which axe can judge no contrast; without them it can.
        await page.evaluate(() => {
          document.body.style.backgroundImage = "none";
        });
        // Through the debugger, which the page's content security policy doesn't govern.
        await page.evaluate(AXE);
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, {
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
          });
          return violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n   ")}`,
          );
        });
        if (found.length > 0) throw new Error(`${colorScheme}:\n${found.join("\n")}`);
      }
    },
  ]),
);
