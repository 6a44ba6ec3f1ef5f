/**
 * Measures a room on a phone's viewport: the real server (ANNON_BIN), a real Chromium with its trace on. Prints a
 * table, and the same as JSON.
 *
 *     npm run measure -- --throttle 4 --messages 10000 --json measured.json scroll typing place opening weight
 *
 * ANNON_FRONT=off measures what the binary serves itself, packed: `opening` and `weight` mean nothing without it.
 *
 * A loaded machine shows in the frames and waits, less in the work for each frame: judge by that where it is.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { withBrowser } from "./browser.mjs";
import { phone, room } from "./measure/busyRoom.mjs";
import { opening } from "./measure/opening.mjs";
import { place } from "./measure/place.mjs";
import { scroll } from "./measure/scroll.mjs";
import { typing } from "./measure/typing.mjs";
import { weight } from "./measure/weight.mjs";
import { startServer } from "./server.mjs";

const MEASURES = { scroll: onPhone(scroll), typing: onPhone(typing), place: onPhone(place), opening, weight };

const { values, positionals } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    throttle: { type: "string", default: "1" },
    json: { type: "string" },
  },
  allowPositionals: true,
});
const [messages, throttle] = [Number(values.messages), Number(values.throttle)];
const wanted = positionals.length > 0 ? positionals : Object.keys(MEASURES);

const server = await startServer(process.env.ANNON_BIN, ["--sends-per-second", "0"]);
const measured = { messages, throttle };
try {
  await withBrowser(async (browser) => {
    measured.chromium = browser.version();
    const { url, talker, close } = await room(browser, server.base, messages);
    for (const name of wanted) {
      console.log(`${name}: this takes a while`);
      measured[name] = await MEASURES[name]({ browser, url, talker, throttle });
      console.log(`\n${name}, ${messages} messages, processor slowed ${throttle} times`);
      console.table(turned(measured[name]));
    }
    await close();
  });
} finally {
  await server.stop();
}
const json = JSON.stringify(measured, null, 2);
if (values.json) writeFileSync(values.json, json);
console.log(json);

/** What is measured in a room that somebody has opened. */
function onPhone(measure) {
  return async (given) => {
    const { page, finger, close } = await phone(given.browser, given.url, given.throttle);
    const numbers = await measure({ ...given, page, finger });
    await close();
    return numbers;
  };
}

/** Rows for columns: there are few runs and many numbers. */
function turned(runs) {
  const rows = {};
  for (const [run, numbers] of Object.entries(runs)) {
    for (const [what, number] of Object.entries(numbers)) rows[what] = { ...rows[what], [run]: number };
  }
  return rows;
}
