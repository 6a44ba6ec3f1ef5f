/**
 * Photographs every screen at two sizes in both themes into e2e/shots, and says what the browser complained about.
 * ANNON_BIN names the server's binary. Arguments pick screens: `npm run shots -- login inbox`.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withBrowser } from "./browser.mjs";
import { createRoom, register, sendNote, signedIn } from "./people.mjs";
import { SCREENS } from "./screens.mjs";
import { startServer, WEB } from "./server.mjs";

const SHOTS = join(WEB, "e2e/shots");
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

const wanted = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const server = await startServer();
const person = await register(server.base, "wildfox");
const newcomer = await register(server.base, "newcomer");
for (const note of NOTES()) await sendNote(server.base, person.username, note);
await createRoom(server.base, person, "midnight tacos");
await createRoom(server.base, person, "the last row");
if (wanted.length === 0) rmSync(SHOTS, { recursive: true, force: true });
mkdirSync(SHOTS, { recursive: true });

let complaints = 0;
try {
  await withBrowser(async (browser) => {
    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of SIZES) await photographAll(browser, { colorScheme, viewport });
    }
    await photographAll(browser, { colorScheme: "light", viewport: { width: 320, height: 640 } });
  });
} finally {
  await server.stop();
}
process.exitCode = complaints === 0 ? 0 : 1;

async function photographAll(browser, { colorScheme, viewport }) {
  for (const screen of screens) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      reducedMotion: "reduce",
      locale: "en-GB",
    });
    const who = { person, newcomer }[screen.as];
    if (who) await signedIn(context, server.base, who);
    await photograph(context, screen, `${colorScheme}-${viewport.width}`).catch((error) =>
      say(screen, colorScheme, error.message),
    );
    await context.close();
  }
}

function say({ name }, kind, what) {
  complaints += 1;
  console.log(`${kind} ${name}: ${what}`);
}

async function photograph(context, screen, kind) {
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  page.on("console", (message) => {
    const expected = (screen.complains ?? []).some((part) => message.text().includes(part));
    if (["error", "warning"].includes(message.type()) && !expected) say(screen, kind, message.text());
  });
  page.on("request", (request) => {
    const { protocol } = new URL(request.url());
    if (protocol.startsWith("http") && !request.url().startsWith(server.base)) {
      say(screen, kind, `asked another site: ${request.url()}`);
    }
  });
  await screen.prepare?.(page);
  await page.goto(server.base + screen.path, { waitUntil: "load" });
  await page.locator("h1").first().waitFor();
  await screen.act?.(page, server.base);
  await page.evaluate(() => document.fonts.ready);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  if (scrollWidth > clientWidth) say(screen, kind, `scrolls sideways: ${scrollWidth} > ${clientWidth}`);
  await page.screenshot({ path: join(SHOTS, `${screen.name}-${kind}.png`), fullPage: !screen.overlay });
}

function NOTES() {
  return [
    "You once explained recursion to me by explaining recursion to me. I still laugh about it.",
    "🦊 🐙 🌵 👻 🦉 🍄 🐝 🐳 🪩 🐸",
    "Your talk on Friday was the first one this year I didn’t leave early. The slides are at https://slides.example/friday?v=2, right?",
    "I never told you, but the day you sat with me at lunch was the day I decided to stay. You had no idea, and that is what made it matter. Please keep sitting next to people who sit alone. It costs you twenty minutes and it is worth a year to somebody. Thank you, from one of those 💛",
    "Who are you when nobody looks?",
  ];
}
