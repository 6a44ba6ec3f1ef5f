/**
 * The walk in Firefox, in WebKit and in Chromium, each against a server of its own (ANNON_BIN). Arguments pick engines
 * by name: `npm run engines -- firefox`. KEEP_CAPTURES names a folder for pictures.
 */
import { writeFileSync } from "node:fs";
import { startServer } from "../server.mjs";
import { withChromium } from "./chromium.mjs";
import { withFirefox } from "./firefox.mjs";
import { walk } from "./walk.mjs";
import { withWebKit } from "./webkit.mjs";

const ENGINES = { chromium: withChromium, firefox: withFirefox, webkit: withWebKit };
const wanted = process.argv.slice(2);
let failures = 0;
for (const [name, withEngine] of Object.entries(ENGINES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run(name, withEngine);
}
process.exit(failures === 0 ? 0 : 1);

async function run(name, withEngine) {
  const server = await startServer();
  const started = Date.now();
  const people = [];
  try {
    await withEngine(async (open) => {
      const person = async () => {
        people.push(await open());
        return people.at(-1);
      };
      try {
        await walk({ server, person, photo: photoFor(name) });
      } catch (error) {
        for (const [at, tab] of people.entries()) await keep(tab, `${name}-failed-${at}`);
        throw error;
      }
    });
    console.log(`ok    the walk in ${people[0].browser} (${Date.now() - started} ms)`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  the walk in ${people[0]?.browser ?? name}\n${error.stack}\n`);
    for (const { complaints } of people) console.log(complaints.join("\n"));
  } finally {
    await server.stop();
  }
}

function photoFor(engine) {
  return async (tab, name) => {
    if (!process.env.KEEP_CAPTURES) return;
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ]) {
      await tab.resize(width, height);
      await keep(tab, `${engine}-${name}-${width}`);
    }
  };
}

async function keep(tab, name) {
  const folder = process.env.KEEP_CAPTURES;
  if (folder) writeFileSync(`${folder}/${name}.png`, await tab.screenshot());
}
