/** Every page in every engine, at both sizes, in both themes and both languages. */
import { expect, test } from "../support/test.ts";
import { signIn } from "./accounts.ts";
import { type Screen, screenOf } from "./screen.ts";
import { withWebKit } from "./webkit.ts";
import { withFirefox } from "./windows.ts";

const FOR_STRANGERS = [
  ..."/ /about /blog /terms /privacy /login /signup /reset /feedback /getstarted".split(" "),
  ..."/expired /roomfull /error /no/such/page".split(" "),
];
const SIGNED_IN = ["/homepage", "/homepage?tab=inbox", "/homepage?tab=groups", "/settings", "/room/new"];

const SIZES = [
  [390, 844],
  [1280, 800],
];
/** Each with each, and pictures, for somebody who wants to look at them. Else each size, theme and language is there. */
const IS_WHOLE = process.env.LOOKS === "all";
const LOOKS = SIZES.flatMap(([width, height]) =>
  ["en", "de"].flatMap((language) =>
    ["light", "dark"].map((theme) => [width, height, language, theme] as const),
  ),
).filter(([width, , language, theme]) => {
  const isOdd = (width === 390) === (language === "en");
  return IS_WHOLE || (theme === "light") === isOdd;
});

for (const [engine, withEngine] of Object.entries({ Firefox: withFirefox, WebKit: withWebKit })) {
  test(`how pages look in ${engine}`, async ({ server, person, group }, info) => {
    test.setTimeout(600_000);
    await withEngine(async (open) => {
      const screen = screenOf(await open());
      /** Opens each page in each look. */
      async function lookAt(paths: string[]) {
        for (const [width, height, language, theme] of LOOKS) {
          await screen.open(`${server.base}/about`);
          await screen.resize(width, height);
          await choose(screen, language, theme);
          for (const path of paths) {
            await screen.open(server.base + path);
            const look = `${engine} ${width} ${language} ${theme} ${path}`;
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

      await lookAt([...FOR_STRANGERS, `/${person.username}`]);
      await choose(screen, "en", "light");
      await signIn(screen, person.username, server.base);
      await lookAt([...SIGNED_IN, `/${person.username}`, group.path]);
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
