/** Every page for strangers in every engine, at both sizes, in both themes and both languages. */
import { expect, test } from "../support/test.ts";
import { withFirefox } from "./firefox.ts";
import { type Screen, screenOf } from "./screen.ts";
import { withWebKit } from "./webkit.ts";

const SIZES = [
  [390, 844],
  [1280, 800],
] as const;
const PATHS = [
  ..."/ /about /blog /terms /privacy /login /signup /reset /feedback /getstarted".split(" "),
  ..."/expired /roomfull /error /no/such/page /room/new".split(" "),
];
/** Everything, where somebody wants to look at the pictures; else each size, theme and language, but not each with each. */
const IS_WHOLE = process.env.LOOKS === "all";

for (const [engine, withEngine] of Object.entries({ Firefox: withFirefox, WebKit: withWebKit })) {
  test(`how pages look in ${engine}`, async ({ server, person }, info) => {
    test.setTimeout(600_000);
    await withEngine(async (open) => {
      const screen = screenOf(await open());
      for (const [nth, [width, height]] of SIZES.entries()) {
        await screen.open(`${server.base}/about`);
        await screen.resize(width, height);
        for (const language of ["en", "de"]) {
          for (const theme of ["light", "dark"]) {
            if (!IS_WHOLE && (theme === "dark") !== ((language === "de") !== (nth === 1))) continue;
            await choose(screen, language, theme);
            for (const path of [...PATHS, `/${person.username}`]) {
              await screen.open(server.base + path);
              const look = `${engine} ${width} ${language} ${theme} ${path}`;
              // A page that the server sends is drawn before the app has taken it over.
              await screen.evaluate("document.fonts.ready.then(() => {})");
              await expect
                .poll(() => screen.evaluate(LOOKED_AT), look)
                .toEqual([language, theme, true, 0, true]);
              expect(await screen.faults(), look).toBe("");
              if (IS_WHOLE)
                await info.attach(look, { body: await screen.screenshot(), contentType: "image/png" });
            }
          }
        }
      }
    });
  });
}

/** What the app keeps when somebody chooses. */
async function choose(screen: Screen, language: string, theme: string) {
  await screen.evaluate(
    `[document.cookie = "language=${language};path=/", sessionStorage.theme = "${theme}"].length`,
  );
}

/**
 * The language, the theme, whether there is a heading, by how much the page is wider than the window, and whether the
 * app has taken it over: a page that is left earlier complains of what it couldn't load.
 */
const LOOKED_AT = `[
  document.documentElement.lang,
  document.documentElement.dataset.theme,
  [...document.querySelectorAll("h1")].some((one) => one.checkVisibility() && one.innerText !== ""),
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  [...document.querySelectorAll("#app a, #app button")].some((one) =>
    Object.keys(one).some((key) => key.startsWith("__reactProps"))),
]`;
