/**
 * Whole journeys in a real browser against the real server (ANNON_BIN), each with people of its own, then axe on
 * every screen in both themes. Arguments pick journeys by a part of their name: `npm run e2e -- capture`.
 */
import { accessibility } from "./accessibility.mjs";
import { blockedStorage } from "./blockedStorage.mjs";
import { withBrowser } from "./browser.mjs";
import { chat } from "./chat.mjs";
import { composer } from "./composer.mjs";
import { confirming } from "./confirm.mjs";
import { dashboard } from "./dashboard.mjs";
import { dialogs } from "./dialogs.mjs";
import { emoji } from "./emoji.mjs";
import { following } from "./following.mjs";
import { german } from "./german.mjs";
import { groupCards } from "./groupCards.mjs";
import { groupScreen } from "./groupScreen.mjs";
import { journeys } from "./journeys.mjs";
import { landing } from "./landing.mjs";
import { lapsed } from "./lapsed.mjs";
import { links } from "./links.mjs";
import { lowWindows } from "./lowWindows.mjs";
import { mentions } from "./mentions.mjs";
import { navigation } from "./navigation.mjs";
import { noCookies } from "./noCookies.mjs";
import { privacy } from "./privacy.mjs";
import { screenReader } from "./screenReader.mjs";
import { seats } from "./seats.mjs";
import { startServer } from "./server.mjs";
import { talk } from "./talk.mjs";
import { words } from "./words.mjs";

const wanted = process.argv.slice(2);
const tests = {
  ...journeys,
  ...chat,
  ...links,
  ...landing,
  ...mentions,
  ...emoji,
  ...privacy,
  ...following,
  ...talk,
  ...lowWindows,
  ...groupScreen,
  ...seats,
  ...blockedStorage,
  ...noCookies,
  ...dialogs,
  ...composer,
  ...navigation,
  ...lapsed,
  ...german,
  ...dashboard,
  ...groupCards,
  ...confirming,
  ...screenReader,
  ...words,
  ...accessibility,
};
const server = await startServer();
let failures = 0;
try {
  await withBrowser(async (browser) => {
    for (const [name, test] of Object.entries(tests)) {
      if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
      await run(browser, name, test);
    }
  });
} finally {
  await server.stop();
}
process.exit(failures === 0 ? 0 : 1);

async function run(browser, name, test) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: "reduce",
    acceptDownloads: true,
    locale: "en-GB",
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted(HTML|Script|ScriptURL|Type)/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  // Nothing comes from anywhere else, whatever is done and shown.
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1") complaints.push(request.url());
  });
  const started = Date.now();
  try {
    await test({ browser, context, page, server, base: server.base, complaints });
    if (complaints.length > 0) throw new Error(`the browser complained:\n${complaints.join("\n")}`);
    console.log(`ok    ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failures += 1;
    if (process.env.KEEP_CAPTURES) await page.screenshot({ path: `${process.env.KEEP_CAPTURES}/failed.png` });
    console.log(`FAIL  ${name}\n${error.stack}\n`);
  } finally {
    await context.close();
  }
}
