/** The pages that the server sends are drawn already, and the app takes them over as they are. */
import { PAGES } from "../../src/shared/contract/pages.ts";
import { holdBack } from "../support/page.ts";
import { type AppPage, expect, test } from "../support/test.ts";

const LANGUAGES = { en: "en-GB", de: "de-DE" };
/** Pages that need an account or a seat. The server sends their frame. */
const FRAMES = ["/homepage", "/homepage?tab=inbox", "/settings", "/open", "/room/new"];

/** Every page that is the same for everybody, by its address. */
function addresses(name: string) {
  const open = Object.keys(PAGES).filter((path) => !/:|home|settings|open|room\/new/.test(path));
  const away = ["locked", "kicked", "left", "deleted"].map((why) => `/roomfull?why=${why}`);
  return [...open, ...away, "/reset/none", "/confirm/none", `/${name}`, "/no/such/page"];
}

/** Runs in the page before its own scripts: keeps what the server has sent, and what React says of it. */
function watchTakeOver() {
  document.addEventListener("DOMContentLoaded", () => {
    window.sent = document.querySelector("#app > div") ?? undefined;
    window.sentHtml = window.sent?.outerHTML;
  });
}

declare global {
  interface Window {
    sent?: Element;
    sentHtml?: string;
  }
}

/** Waits until the app has taken the page over, and all it does then is done. */
async function isTakenOver(page: AppPage) {
  await page.takenOver();
  await page.atRest();
}

const APP = "**/assets/index-*.js";

for (const [language, locale] of Object.entries(LANGUAGES)) {
  test(`every page is taken over as it was sent: ${language}`, async ({ visitor, person }) => {
    test.slow();
    const page = await visitor({ locale });
    await page.addInitScript(watchTakeOver);
    for (const path of addresses(person.username)) {
      await page.goto(path);
      await isTakenOver(page);
      const { isSame, sent, now, lang } = await page.evaluate(() => ({
        isSame: window.sent === document.querySelector("#app > div"),
        sent: window.sentHtml,
        now: document.querySelector("#app > div")?.outerHTML,
        lang: document.documentElement.lang,
      }));
      await expect.soft(page.locator("noscript").filter({ visible: true }), path).toHaveCount(0);
      expect.soft(isSame, path).toBe(true);
      expect.soft(lang, path).toBe(language);
      // The form has asked the server about its link, and shows the answer.
      if (!path.startsWith("/confirm")) expect.soft(now, path).toBe(sent);
    }
  });
}

test("words that can't be loaded are English, on a page that is drawn again", async ({ visitor }) => {
  const page = await visitor({ locale: LANGUAGES.de });
  await page.route("**/assets/site-*.js", (route) => route.abort());
  await page.goto("/login");
  await isTakenOver(page);
  await expect(page.getByRole("link", { name: "Sign Up" }).first()).toBeVisible();
});

test("what was typed before the app was there is kept, and sent", async ({ page, person }) => {
  const free = await holdBack(page, APP);
  await page.goto(`/${person.username}`, { waitUntil: "commit" });
  const box = page.getByLabel("Your anonymous note");
  await box.fill("Typed before any script.");
  free();
  await isTakenOver(page);
  await expect(box).toHaveValue("Typed before any script.");
  await page.button("Send it").click();
  await expect(page.heading(`Anonymous Message Sent to ${person.username}`)).toBeVisible();
});

test("who has scrolled before the app was there stays there, and a link that was being pressed leads on", async ({
  page,
}) => {
  const free = await holdBack(page, APP);
  await page.goto("/", { waitUntil: "commit" });
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Report" });
  await link.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => window.scrollY);
  const before = await place();
  expect(before).toBeGreaterThan(500);
  await link.hover();
  await page.mouse.down();
  free();
  await isTakenOver(page);
  expect(await place()).toBe(before);
  await page.mouse.up();
  await expect(page.heading(/^Report/)).toBeVisible();
});

test("somebody who is signed in never sees what a stranger sees", async ({ page, account }) => {
  await page.goto("/homepage");
  await expect(page.heading(`Hello, ${account.username}`)).toBeVisible();
  const flashes: string[] = [];
  await page.exposeFunction("flash", (words: string) => flashes.push(words));
  await page.addInitScript(() => {
    const look = () => {
      for (const one of document.querySelectorAll("a[href='/signup'], a[href='/login'], main form"))
        if (one.checkVisibility({ visibilityProperty: true })) window.flash(one.outerHTML.slice(0, 80));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const path of ["/", "/about", "/login", "/signup", `/${account.username}`]) {
    await page.goto(path);
    await isTakenOver(page);
    await expect(page.link(/Inbox/).or(page.tab(/Inbox/)).first()).toBeVisible();
  }
  expect(new Set(flashes)).toEqual(new Set());
});

declare global {
  interface Window {
    flash(words: string): void;
  }
}

test("the theme that was chosen in this tab is there from the first drawing on", async ({ page }) => {
  await page.goto("/about");
  await isTakenOver(page);
  await page.button("Switch to dark mode").click();
  // No script but the first is let through.
  await page.route("**/assets/index-*.js", (route) => route.abort());
  for (const path of ["/about", "/privacy"]) {
    await page.goto(path);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(23, 19, 43)",
    );
  }
});

for (const [language, locale] of Object.entries(LANGUAGES)) {
  test(`the frame of a page is there without the app: ${language}`, async ({ visitor, group }) => {
    const page = await visitor({ locale });
    await page.route("**/assets/index-*.js", (route) => route.abort());
    for (const path of FRAMES) {
      await page.goto(path);
      await expect(page.getByRole("banner").getByRole("img", { name: "Annon" })).toBeVisible();
      await expect(page.locator("noscript").filter({ visible: true })).toHaveCount(0);
    }
    await page.goto(group.path);
    await expect(page.getByRole("textbox")).toBeVisible();
    await expect(page.getByRole("banner").getByRole("link")).toBeVisible();
  });
}
