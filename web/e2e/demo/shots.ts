/** Makes the pictures that README shows, from a server that is filled as the one of `make demo`: `npm run shots`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Browser, test as base, chromium, type Page } from "@playwright/test";
import { CHROMIUM_ARGS, WHOLE_CHROMIUM } from "../support/chromium.ts";
import { button } from "../support/page.ts";
import { signedIn } from "../support/people.ts";
import { startServer } from "../support/server.ts";
import { type AppPage, withSteps } from "../support/test.ts";
import { CELLIST } from "./script.ts";
import { type DemoWorld, fill } from "./world.ts";

const PICTURES = new URL("../../../docs/pictures/", import.meta.url);
const THEMES = ["light", "dark"] as const;
const SITE = "http://annon.example";
const PHONE = { width: 390, height: 800 };
const DESKTOP = { width: 1120, height: 760 };
/** README shows a picture 830 pixels wide at most, and screens have up to two of their own for one. */
const WIDTH = 1120;
const QUALITY = 52;
/** Which looks of a captured note go with which theme. */
const STORIES = { light: ["Paper", "Hot", "Mint"], dark: ["Night", "Hot", "Mint"] } as const;

type Theme = (typeof THEMES)[number];

/** Each picture is made of a world of its own, so that none shows what was done for another one. */
const test = base.extend<{ world: DemoWorld; site: Browser }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from a pattern
  world: async ({}, use) => {
    const server = await startServer([], SITE);
    await use(await fill(server.base));
    await server.stop();
  },
  /** A browser that finds the server at the address that the pictures show. The one without windows trusts no such address. */
  site: async ({ world }, use) => {
    const { hostname } = new URL(SITE);
    const browser = await chromium.launch({
      executablePath: WHOLE_CHROMIUM,
      args: [
        ...CHROMIUM_ARGS,
        `--host-resolver-rules=MAP ${hostname} ${new URL(world.cellist.base).host}`,
        `--unsafely-treat-insecure-origin-as-secure=${SITE}`,
      ],
    });
    await use(browser);
    await browser.close();
  },
});

for (const theme of THEMES) {
  test(`a group on a desktop, ${theme}`, async ({ site, world }) => {
    const page = await opened(site, theme, DESKTOP);
    await signedIn(page.context(), world.cellist, SITE);
    await page.goto(SITE + world.group.path);
    await page.canTalk();
    await page.sends("On my way. Order me whatever the dog has.");
    world.members[2].type();
    await page.getByText(/is typing/).waitFor();
    await compose(site, `group-${theme}`, [await photo(page)], DESKTOP.width / DESKTOP.height);
  });

  test(`the visitor's page, a conversation and the inbox on phones, ${theme}`, async ({ site, world }) => {
    const { cellist, conversation } = world;
    const [visitor, sender, owner] = await Promise.all([1, 2, 3].map(() => opened(site, theme, PHONE)));
    await visitor.goto(`${SITE}/${cellist.username}`);
    await visitor.heading("Answered in public").waitFor();
    await sender.goto(SITE + conversation.path);
    await sender.line("Which Tuesday?").waitFor();
    await signedIn(owner.context(), cellist, SITE);
    await owner.goto(`${SITE}/homepage?tab=inbox`);
    await owner.cards.first().waitFor();
    const phones = await Promise.all([visitor, sender, owner].map(photo));
    await compose(site, `phones-${theme}`, phones, PHONE.width / PHONE.height);
  });

  test(`captured notes, ${theme}`, async ({ site, world }) => {
    const page = await opened(site, theme, PHONE);
    await signedIn(page.context(), world.cellist, SITE);
    await page.goto(`${SITE}/homepage?tab=inbox`);
    const stories = [];
    for (const [at, look] of STORIES[theme].entries()) {
      const card = page.cards.filter({ hasText: [CELLIST.notes[1], CELLIST.last, CELLIST.notes[0]][at] });
      await button(card, /^Capture as image/).click();
      await page.radio(look).check();
      await page.waitForTimeout(500);
      const { path } = await page.saved(() => page.button("Download").click());
      stories.push(readFileSync(path).toString("base64"));
      await page.escape();
    }
    await compose(site, `stories-${theme}`, stories, 1080 / 1920);
  });
}

async function opened(browser: Browser, colorScheme: Theme, viewport: typeof PHONE): Promise<AppPage> {
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2, locale: "en-GB" });
  return withSteps(await context.newPage());
}

async function photo(page: AppPage): Promise<string> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(800);
  return (await page.screenshot({ animations: "disabled" })).toString("base64");
}

/** Puts pictures of one shape side by side, on nothing: README has a ground of its own. */
async function compose(browser: Browser, name: string, photos: string[], shape: number) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: WIDTH } });
  const images = photos.map((data) => `<img src="data:image/png;base64,${data}">`).join("");
  await page.setContent(`<style>
    body { display: flex; align-items: start; gap: 36px; margin: 0; padding: 2px; }
    img { flex: 1; min-width: 0; aspect-ratio: ${shape}; border-radius: ${photos.length > 1 ? 28 : 16}px;
      outline: 2px solid #8a8499; }
  </style>${images}`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await save(page, name);
  await page.close();
}

async function save(page: Page, name: string) {
  const client = await page.context().newCDPSession(page);
  const height = await page.evaluate(() => document.images[0].offsetHeight + 4);
  await client.send("Emulation.setDefaultBackgroundColorOverride", { color: { r: 0, g: 0, b: 0, a: 0 } });
  const { data } = await client.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
    clip: { x: 0, y: 0, width: WIDTH, height, scale: 1 },
  });
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(new URL(`${name}.webp`, PICTURES), Buffer.from(data, "base64"));
}
