/**
 * Photographs every route at two sizes in both themes into e2e/shots, and says what the browser complained about.
 * Shows the files of dist under the server's content security policy, or a running server: BASE_URL=http://….
 * Arguments pick routes: `npm run shots -- / /privacy`.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { preview } from "vite";
import { withBrowser } from "./browser.mjs";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const SHOTS = join(WEB, "e2e/shots");
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const ROUTES = [
  "/",
  "/about",
  "/blog",
  "/terms",
  "/privacy",
  "/expired",
  "/roomfull",
  "/error",
  "/login",
  "/no/such/page",
];

const routes = process.argv.length > 2 ? process.argv.slice(2) : ROUTES;
const server = process.env.BASE_URL ? undefined : await preview({ root: WEB, logLevel: "warn" });
const base = process.env.BASE_URL ?? server.resolvedUrls.local[0].replace(/\/$/, "");
rmSync(SHOTS, { recursive: true, force: true });
mkdirSync(SHOTS, { recursive: true });

let complaints = 0;
await withBrowser(async (browser) => {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of SIZES) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      for (const route of routes) await photograph(context, route, `${colorScheme}-${viewport.width}`);
      await context.close();
    }
  }
  const narrow = await browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
  for (const route of routes) await photograph(narrow, route, "light-320");
});
await server?.close();
process.exitCode = complaints === 0 ? 0 : 1;

async function photograph(context, route, kind) {
  const page = await context.newPage();
  const say = (what) => {
    complaints += 1;
    console.log(`${kind} ${route}: ${what}`);
  };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !route.startsWith("/no/")) say(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) say(`asked another site: ${request.url()}`);
  });
  await page.goto(base + route, { waitUntil: "load" });
  await page.locator("h1").waitFor();
  await page.evaluate(() => document.fonts.ready);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  if (scrollWidth > clientWidth) say(`scrolls sideways: ${scrollWidth} > ${clientWidth}`);
  const name = route === "/" ? "landing" : route.slice(1).replaceAll("/", "_");
  await page.screenshot({ path: join(SHOTS, `${name}-${kind}.png`), fullPage: true });
  await page.close();
}
